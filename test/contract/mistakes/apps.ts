// What apps send by mistake, and the answers that they get: mistakes of their users, and of the engineers who write them.

export const APPS = `
nobody POST /v1/auth/public/phone/verifications {"mobile_country_code":"254","mobile_number":"71234"}
  400 BAD_REQUEST mobile_number is not a mobile number of that country: send its code and the number, such as 254 and 712345678
nobody POST /v1/auth/public/phone/verifications {"mobile_country_code":"254","mobile_number":"seven"}
  400 BAD_REQUEST mobile_number is not a mobile number of that country: send its code and the number, such as 254 and 712345678
nobody POST /v1/auth/public/phone/verifications {"mobile_country_code":254,"mobile_number":"712345678"}
  400 BAD_REQUEST mobile_country_code must be a string
nobody POST /v1/auth/public/phone/verifications {"country_code":"254","mobile_number":"712345678"}
  400 BAD_REQUEST mobile_country_code is required
nobody POST /v1/auth/public/phone/verifications {"mobile_country_code":"254","mobile_number":"712345678","organization":"nobodys"}
  400 BAD_REQUEST organization is the slug of no organization
nobody POST /v1/auth/public/phone/verifications/$challenge/confirm {"otp_code":"000000"}
  400 BAD_REQUEST otp_code is not the code that was sent
nobody POST /v1/auth/public/phone/verifications/$challenge/confirm {"otp_code":"12345"}
  400 BAD_REQUEST otp_code must be six digits
nobody POST /v1/auth/public/phone/verifications/$challenge/confirm {"otp_code":123456}
  400 BAD_REQUEST otp_code must be a string
nobody POST /v1/auth/public/phone/verifications/$challenge/confirm {"code":"123456"}
  400 BAD_REQUEST otp_code is required
nobody POST /v1/auth/public/phone/verifications/$absent/confirm {"otp_code":"123456"}
  404 NOT_FOUND There is no such verification
nobody POST /v1/auth/public/exchange/phone {"phone_verification_token":"rubbish"}
  400 BAD_REQUEST phone_verification_token is not valid: verify the number again, and send the new token once
nobody POST /v1/auth/public/exchange/phone {"token":"rubbish"}
  400 BAD_REQUEST phone_verification_token is required
nobody POST /v1/auth/sign-in {"custom_token":"rubbish"}
  400 BAD_REQUEST custom_token is not valid: exchange a phone verification token, and send the new one once
nobody POST /v1/auth/token/refresh {"refresh_token":"rubbish"}
  400 BAD_REQUEST refresh_token is not valid: sign in again
nobody POST /v1/auth/token/refresh {}
  400 BAD_REQUEST refresh_token is required
nobody GET /v1/me
  401 UNAUTHORISED Credentials are missing. Send Authorization: Bearer <token>, or X-API-Key: <key>
expired GET /v1/me
  401 UNAUTHORISED The bearer token has expired: get a new one
rubbish GET /v1/me
  401 UNAUTHORISED The bearer token is not a JWT: send the whole access token
unknown GET /v1/me
  401 UNAUTHORISED The token belongs to no user of this service
custom GET /v1/accounts
  401 UNAUTHORISED This is an identity token: exchange it at POST /v1/auth/identity/exchange, and send the access token that you get
blocked GET /v1/me
  403 FORBIDDEN The user is blocked: only the lender can lift that
nobody GET /v1/me [authorization: Bearer sk_x]
  401 UNAUTHORISED This is an API key, which is sent in X-API-Key. Send Authorization: Bearer <token>, or X-API-Key: <key>
nobody GET /v1/me [authorization: Basic YTpi]
  401 UNAUTHORISED Authorization is not a bearer token. Send Authorization: Bearer <token>, or X-API-Key: <key>
user GET /v1/me [x-api-key: sk_x]
  400 INVALID_PARAMS header.X-API-Key cannot be sent together with Authorization
waiting POST /v1/accounts/loan/applications/partner {}
  403 WAITING_LIST The user is on the waiting list
user POST /v1/accounts/loan/quotes {"product_id":"$product","loan_amount":5000}
  400 INVALID_PARAMS product_id is not a known field; did you mean loan_product_id?
user POST /v1/accounts/loan/quotes {"loan_product_id":"$absent","loan_amount":5000}
  404 NOT_FOUND There is no such loan product
user POST /v1/accounts/loan/quotes {"loan_product_id":"$product","loan_amount":"5000"}
  400 INVALID_PARAMS loan_amount must be a number
user POST /v1/accounts/loan/quotes {"loan_product_id":"$product","loan_amount":50.5}
  400 INVALID_PARAMS loan_amount must be a whole number
user POST /v1/accounts/loan/quotes {"loan_product_id":"$product","loan_amount":5001}
  400 INVALID_PARAMS loan_amount must be 1000 to 500000, and a multiple of 500
user POST /v1/accounts/loan/quotes {"loan_product_id":"$product","loan_amount":5000,"tenure":{"duration":3,"unit":"days"}}
  400 INVALID_PARAMS tenure.unit must be one of "DAYS", "WEEKS", "MONTHS"
user POST /v1/accounts/loan/quotes {"loan_product_id":"$product","loan_amount":5000,"tenure":{"duration":900,"unit":"DAYS"}}
  400 INVALID_PARAMS tenure is not offered
user POST /v1/accounts/loan/applications/partner {"product_id":"$product"}
  400 BAD_REQUEST product_id is not a known field; did you mean loan_product_id?
user POST /v1/accounts/loan/applications/partner {"loan_product_id":"stock"}
  400 BAD_REQUEST loan_product_id must be a UUID
newcomer POST /v1/accounts/loan/applications/partner/$offer/apply {"loan_amount":99999999}
  400 BAD_REQUEST loan_amount must be 1000 to 100000, and a multiple of 500
newcomer POST /v1/accounts/loan/applications/partner/$offer/apply {"loan_amount":5001}
  400 BAD_REQUEST loan_amount must be 1000 to 100000, and a multiple of 500
newcomer POST /v1/accounts/loan/applications/partner/$offer/apply {"amount":5000}
  400 BAD_REQUEST loan_amount is required
newcomer POST /v1/accounts/loan/applications/partner/$offer/apply {"loan_amount":5000,"payout":{"type":"BANK"}}
  400 BAD_REQUEST payout.type must be one of "OWN_NUMBER", "CURRENT_ACCOUNT", "PAYEE_ACCOUNT"
newcomer POST /v1/accounts/loan/applications/partner/$offer/apply {"loan_amount":5000,"payout":{"type":"PAYEE_ACCOUNT"}}
  400 BAD_REQUEST payout.payee_account_id must be sent with PAYEE_ACCOUNT, and with no other type
user POST /v1/accounts/loan/applications/partner/$application/apply {"loan_amount":5000}
  409 INVALID_STATE The application is DISBURSED: this is possible while it is APPROVED
user POST /v1/accounts/loan/applications/partner/$offer/apply {"loan_amount":5000}
  404 NOT_FOUND There is no such application
user POST /v1/accounts/loan/applications/$application/cancel
  409 INVALID_STATE The application is DISBURSED: this is possible while it is PENDING or APPROVED
user POST /v1/accounts/$account/draws {"amount":0}
  400 BAD_REQUEST amount must be at least 1
user POST /v1/accounts/$account/draws {"amount":99999999}
  400 BAD_REQUEST amount must be a multiple of 500
user POST /v1/accounts/$account/repayments {"amount":100}
  400 BAD_REQUEST channel is required
user POST /v1/accounts/$account/repayments {"amount":99999999,"channel":"WALLET"}
  409 INVALID_STATE The available balance is too low
user PATCH /v1/accounts/$account/tenure {"tenure":{"duration":7,"unit":"YEARS"}}
  400 BAD_REQUEST tenure.unit must be one of "DAYS", "WEEKS", "MONTHS"
foreigner GET /v1/accounts/$account
  404 NOT_FOUND There is no such account
user GET /v1/accounts/first
  400 BAD_REQUEST path.accountId must be a UUID
user GET /v1/accounts?stauts=ACTIVE
  400 BAD_REQUEST query.stauts is no parameter of this operation; did you mean status?
user GET /v1/accounts?size=0
  400 BAD_REQUEST query.size must be at least 1
user GET /v1/accounts?size=20&size=30
  400 BAD_REQUEST query.size must be sent only once
user GET /v1/accounts?user_id=$user
  400 BAD_REQUEST query.user_id must be left out: it is for those who work for the lender
user GET /v1/user/transfers?after=abc
  400 BAD_REQUEST query.after is not a cursor of this list
user POST /v1/user/transfers {"payee_account_id":"$payeeAccount","amount":"1000"}
  400 BAD_REQUEST amount must be a number
user POST /v1/user/transfers {"payee_account_id":"$payeeAccount","amount":10.5}
  400 BAD_REQUEST amount must be a whole number
user POST /v1/user/transfers {"payee_account_id":"$payeeAccount","amount":-1}
  400 BAD_REQUEST amount must be at least 1
user POST /v1/user/transfers {"payee_account_id":"$payeeAccount","amount":99999999}
  400 BAD_REQUEST amount must be 1 to 25000000
user POST /v1/user/transfers {"payee_account_id":"$absent","amount":1000}
  404 NOT_FOUND There is no such payee account
user POST /v1/user/transfers {"payee_acount_id":"$payeeAccount","amount":1000}
  400 BAD_REQUEST payee_account_id is required
newcomer POST /v1/user/transfers {"payee_account_id":"$payeeAccount","amount":1000}
  404 NOT_FOUND There is no such payee account
user POST /v1/user/transfers [idempotency-key: ] {"payee_account_id":"$payeeAccount","amount":1000}
  400 BAD_REQUEST header.Idempotency-Key must have 1 to 255 characters
user POST /v1/user/payees {"accounts":[{"type":"SEND_MONEY","mobile_number":"0722000111"}]}
  400 BAD_REQUEST accounts[0].mobile_number must be in international form, such as +254712345678
user POST /v1/user/payees {"accounts":[{"type":"MPESA","mobile_number":"+254722000111"}]}
  400 BAD_REQUEST accounts[0].type must be one of "SEND_MONEY", "BUY_GOODS", "PAY_BILL", "BANK_ACCOUNT", "INTERNAL"
user POST /v1/user/payees {"accounts":[{"type":"INTERNAL","user_tag":"nobodys"}]}
  400 BAD_REQUEST accounts[0].user_tag must begin with @
user POST /v1/user/payees {"accounts":[]}
  400 BAD_REQUEST label is required without an account
user POST /v1/user/payees/$payee/block {"reasons":["ANNOYING"]}
  400 BAD_REQUEST reasons[0] must be one of "UNWANTED_PAYMENTS", "SUSPECTED_FRAUD", "WRONG_RECIPIENT", "OTHER"
user PUT /v1/user/notifications/preferences {"categories":[{"category":"SECURITY","channels":[{"channel":"SMS","enabled":false}]}]}
  400 INVALID_PARAMS categories[0].category cannot be switched on or off
user PUT /v1/user/notifications/preferences {"categories":[{"category":"MARKETING","channels":[{"channel":"FAX","enabled":true}]}]}
  400 INVALID_PARAMS categories[0].channels[0].channel must be one of "SMS", "EMAIL", "IN_APP"
user PATCH /v1/me {"display_name":""}
  400 INVALID_PARAMS display_name must have at least 1 character
user PATCH /v1/me {"organization":"$slug-2"}
  400 INVALID_PARAMS organization is the slug of no organization
user PUT /v1/me/phone {"phone_verification_token":"rubbish"}
  400 BAD_REQUEST phone_verification_token is not valid: verify the number again, and send the new token once
user POST /v1/user/transfers {"payee_account_id":"first","amount":1000}
  400 BAD_REQUEST payee_account_id must be a UUID
user POST /v1/user/transfers [content-type: text/plain] {"payee_account_id":"$payeeAccount","amount":1000}
  400 BAD_REQUEST header.Content-Type must be application/json
user POST /v1/user/transfers [content-type: application/x-www-form-urlencoded] amount=1000
  400 BAD_REQUEST header.Content-Type must be application/json
user POST /v1/user/transfers {"payee_account_id":"$payeeAccount","amount":1000
  400 BAD_REQUEST body is not valid JSON
user POST /v1/user/transfers []
  400 BAD_REQUEST body must be an object with payee_account_id, amount and note
user POST /v1/user/transfers
  400 BAD_REQUEST body is required
user GET /v1/user/transfer
  404 NOT_FOUND No operation has this path
user DELETE /v1/me
  405 METHOD_NOT_ALLOWED The path takes GET, PATCH
user GET /v1/platform/users
  403 FORBIDDEN You are a member of no organization: accept an invitation to one, or name it in X-Organization-Id
user GET /v1/webhooks
  403 FORBIDDEN You are a member of no organization: accept an invitation to one, or name it in X-Organization-Id
`;

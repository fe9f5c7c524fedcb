// What partners' servers send by mistake, and the answers that they get.

export const KEYS = `
revoked GET /v1/accounts
  401 UNAUTHORISED The API key is unknown or revoked
cut GET /v1/accounts
  401 UNAUTHORISED X-API-Key is not a whole API key: send it as it was shown, from sk_ to its end
reader POST /v1/repayments {"mobile_money_transaction_id":"TX-2","account_id":"$account","amount":{"value":100,"currency":"KES"},"transacted_at":"$now","details":{"type":"BUY_GOODS","till_number":"1"}}
  403 FORBIDDEN The API key does not have the scope repayments:write: make a key that has it
key POST /v1/repayments {"mobile_money_transaction_id":"TX-1","account_id":"$account","amount":{"value":200,"currency":"KES"},"transacted_at":"$now","details":{"type":"BUY_GOODS","till_number":"1"}}
  409 DUPLICATE_CONFLICT The same id was used with different facts
key POST /v1/repayments {"mobile_money_transaction_id":"TX-2","account_id":"$account","amount":{"value":100,"currency":"US"},"transacted_at":"$now","details":{"type":"BUY_GOODS","till_number":"1"}}
  400 INVALID_PARAMS amount.currency must be three capital letters
key POST /v1/repayments {"mobile_money_transaction_id":"TX-2","account_id":"$account","amount":{"value":"100.00","currency":"KES"},"transacted_at":"$now","details":{"type":"BUY_GOODS","till_number":"1"}}
  400 INVALID_PARAMS amount.value must be a number
key POST /v1/repayments {"mobile_money_transaction_id":"TX-2","account_id":"$account","amount":{"value":100.25,"currency":"KES"},"transacted_at":"$now","details":{"type":"BUY_GOODS","till_number":"1"}}
  400 INVALID_PARAMS amount.value must be a whole number
key POST /v1/repayments {"mobile_money_transaction_id":"TX-2","account_id":"$account","amount":100,"transacted_at":"$now","details":{"type":"BUY_GOODS","till_number":"1"}}
  400 INVALID_PARAMS amount must be an object with value and currency
key POST /v1/repayments {"mobile_money_transaction_id":"TX-2","account_id":"$account","amount":{"value":100,"currency":"kes"},"transacted_at":"$now","details":{"type":"BUY_GOODS","till_number":"1"}}
  400 INVALID_PARAMS amount.currency must be three capital letters
key POST /v1/repayments {"mobile_money_transaction_id":"TX-2","account_id":"$account","amount":{"value":100,"currency":"KES"},"transacted_at":"yesterday","details":{"type":"BUY_GOODS","till_number":"1"}}
  400 INVALID_PARAMS transacted_at must be an instant such as 2026-01-31T09:30:00Z
key POST /v1/repayments {"mobile_money_transaction_id":"TX-2","account_id":"$account","amount":{"value":100,"currency":"KES"},"transacted_at":"2099-01-01T00:00:00Z","details":{"type":"BUY_GOODS","till_number":"1"}}
  400 INVALID_PARAMS transacted_at must not be in the future
key POST /v1/repayments {"mobile_money_transaction_id":"TX-2","account_id":"$absent","amount":{"value":100,"currency":"KES"},"transacted_at":"$now","details":{"type":"BUY_GOODS","till_number":"1"}}
  404 NOT_FOUND There is no such account
key POST /v1/repayments {"mobile_money_transaction_id":"TX-2","amount":{"value":100,"currency":"KES"},"transacted_at":"$now","details":{"type":"BUY_GOODS","till_number":"1"}}
  400 INVALID_PARAMS account_id is required, or account_number
foreignKey POST /v1/repayments {"mobile_money_transaction_id":"TX-2","account_id":"$account","amount":{"value":100,"currency":"KES"},"transacted_at":"$now","details":{"type":"BUY_GOODS","till_number":"1"}}
  404 NOT_FOUND There is no such account
key POST /v1/accounts/loan/applications/partner {"loan_product_id":"$product"}
  400 BAD_REQUEST user_id is required
key POST /v1/accounts/loan/applications/partner {"loan_product_id":"$product","user_id":"$foreigner"}
  404 NOT_FOUND There is no such user
key POST /v1/accounts/loan/applications/partner {"loan_product_id":"$product","user_id":"me"}
  400 BAD_REQUEST user_id must be a UUID
key GET /v1/accounts/loan/applications?status=OPEN
  400 BAD_REQUEST query.status must be one of "PENDING", "APPROVED", "SUBMITTED", "REJECTED", "DISBURSED", "FAILED", "EXPIRED", "CANCELLED"
key GET /v1/user/payees
  401 UNAUTHORISED This operation takes no API key. Send Authorization: Bearer <token>
key POST /v1/approvals/$approval/decision {"decision":"APPROVED"}
  403 FORBIDDEN No API key may do this: a person must, with a token of their own
key POST /v1/approvals {"approval_type":"BLOCK","entity_type":"USER","entity_id":"$user","payload":{"blocked":true}}
  400 INVALID_PARAMS approval_type must be one of "BLOCK_CHANGE", "REPAYMENT_REVERSAL", "REPAYMENT_RESTORATION", "REPAYMENT_MOVE", "TRANSACTION_REVERSAL", "WRITE_OFF", "SETTLEMENT", "RESCHEDULE", "ACCOUNT_CLOSURE", "FREEZE_CHANGE", "WAIVER", "OVERPAYMENT_REFUND", "LIMIT_CHANGE", "ISSUER_REGISTRATION"
key POST /v1/approvals {"approval_type":"BLOCK_CHANGE","entity_type":"ACCOUNT","entity_id":"$user","payload":{"blocked":true}}
  400 INVALID_PARAMS entity_type must be USER for this type
key POST /v1/approvals {"approval_type":"BLOCK_CHANGE","entity_type":"USER","entity_id":"$user","payload":{"block":true}}
  400 INVALID_PARAMS payload.blocked is required (and 1 more)
key POST /v1/agents/events {"events":[{"event_id":"e-1"}]}
  400 INVALID_PARAMS events[0].event_id must be a UUID (and 6 more)
key GET /v1/webhooks/events?type=user.admited
  400 INVALID_PARAMS query.type is not an event type; did you mean user.admitted?
key GET /v1/webhooks/events?created_from=2026-01-01
  400 INVALID_PARAMS query.created_from must be an RFC 3339 timestamp
key POST /v1/webhooks {"name":"till","url":"https://hooks.example","events":["user.admitted"]}
  401 UNAUTHORISED This operation takes no API key. Send Authorization: Bearer <token>
nobody POST /v1/auth/exchange {"partner_token":"rubbish"}
  400 MALFORMED_TOKEN The token is not a JWT: send the whole token, three parts with a dot between them
nobody POST /v1/auth/exchange {"partner_token":"eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJodHRwczovL25vYm9keS5leGFtcGxlIn0.c2ln"}
  401 UNKNOWN_TOKEN_ISSUER The token's issuer is not recognized
nobody POST /v1/auth/exchange {"token":"x"}
  400 INVALID_TOKEN partner_token is required
nobody POST /v1/auth/identity/exchange {"identity_token":"rubbish"}
  401 UNAUTHORISED The bearer token is not a JWT: send the whole access token
`;

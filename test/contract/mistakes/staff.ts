// What members, operators and providers send by mistake, and the answers that they get.

export const MEMBERS = `
foreigner GET /v1/webhooks [x-organization-id: $organization]
  403 FORBIDDEN X-Organization-Id names no organization that you may act for: send the id or slug of one of yours
owner GET /v1/webhooks [x-organization-id: $absent]
  403 FORBIDDEN X-Organization-Id names no organization that you may act for: send the id or slug of one of yours
foreigner GET /v1/organizations/$organization/members
  404 NOT_FOUND There is no such organization
viewer POST /v1/webhooks {"name":"till-2","url":"https://hooks.example/in","events":["user.admitted"]}
  403 FORBIDDEN Your role organization-viewer does not hold the permission org:webhooks:write: one of organization-owner, organization-admin, organization-developer does
developer GET /v1/financing/invoices
  403 FORBIDDEN Your role organization-developer does not hold the permission org:financing.merchants:read: one of organization-owner, organization-admin, organization-financing-admin, organization-financing-viewer does
owner POST /v1/webhooks {"name":"till","url":"https://hooks.example/in","events":["user.admitted"]}
  409 WEBHOOK_NAME_TAKEN Another webhook of the organization has this name
owner POST /v1/webhooks {"name":"till-2","url":"http://hooks.example/in","events":["user.admitted"]}
  400 INVALID_PARAMS url must be HTTPS
owner POST /v1/webhooks {"name":"till-2","url":"https://10.0.0.1/in","events":["user.admitted"]}
  400 INVALID_PARAMS url must have a host name, not an IP address
owner POST /v1/webhooks {"name":"till-2","url":"https://hooks.example/in","events":["user.admited"]}
  400 INVALID_PARAMS events[0] is not an event type; did you mean user.admitted?
owner POST /v1/webhooks {"name":"till-2","url":"https://hooks.example/in","events":[]}
  400 INVALID_PARAMS events must have at least 1 item
owner POST /v1/webhooks {"name":"till-2","uri":"https://hooks.example/in","events":["user.admitted"]}
  400 INVALID_PARAMS url is required (and 1 more)
owner PATCH /v1/webhooks/$webhook {"status":"PAUSED"}
  400 INVALID_PARAMS status must be one of "ACTIVE", "SUSPENDED"
owner GET /v1/webhooks/$absent
  404 NOT_FOUND There is no such webhook
owner POST /v1/webhooks/$webhook/test {"event_type":"user.admited"}
  400 INVALID_PARAMS event_type is not an event type; did you mean user.admitted?
owner GET /v1/webhooks/deliveries?status=LATE
  400 INVALID_PARAMS query.status must be one of "PENDING", "DELIVERED", "FAILED"
owner GET /v1/webhooks/deliveries?event_id=evt_1
  400 INVALID_PARAMS query.event_id must be a UUID
owner POST /v1/webhooks/$webhook/recover {"since":"2020"}
  400 INVALID_PARAMS since must be an RFC 3339 timestamp
owner POST /v1/organizations/$organization/api-keys {"name":"till","scopes":["loans"]}
  400 INVALID_PARAMS scopes[0] must be one of "loans:write", "repayments:write", "agents:write", "agents:read", "invoices:write", "invoices:read", "approvals:write", "events:read", "accounts:read", "repayments:read", "users:read", "portfolio:read", "ledger:read"
developer POST /v1/organizations/$organization/api-keys {"name":"till","scopes":["loans:write"]}
  403 FORBIDDEN Your role does not hold the scope loans:write
owner POST /v1/organizations/$organization/api-keys {"scopes":["loans:write"]}
  400 INVALID_PARAMS name is required
owner POST /v1/organizations/$organization/members/invitations {"email":"anna","role":"organization-viewer"}
  400 INVALID_PARAMS email must be an email address
owner POST /v1/organizations/$organization/members/invitations {"email":"anna@example.com","role":"organization-viewer"}
  409 INVITATION_PENDING An invitation to this address is pending
owner POST /v1/organizations/$organization/members/invitations {"email":"ben@example.com","role":"viewer"}
  400 INVALID_PARAMS role must be one of "organization-owner", "organization-admin", "organization-financing-admin", "organization-financing-viewer", "organization-lending-admin", "organization-lending-viewer", "organization-developer", "organization-viewer"
owner PATCH /v1/organizations/$organization/members/$owner {"role":"organization-viewer"}
  409 LAST_OWNER An organization must keep at least one owner
owner PATCH /v1/organizations/$organization/members/$absent {"role":"organization-viewer"}
  404 NOT_FOUND There is no such organization or user
owner POST /v1/approvals/$approval/decision {"decision":"APPROVED"}
  403 SELF_APPROVAL Requesters cannot decide their own requests
owner POST /v1/approvals/$approval/decision {"decision":"YES"}
  400 INVALID_PARAMS decision must be one of "APPROVED", "REJECTED"
owner POST /v1/approvals {"approval_type":"BLOCK_CHANGE","entity_type":"USER","entity_id":"$foreigner","payload":{"blocked":true}}
  404 NOT_FOUND There is no such user
owner POST /v1/financing/invoices {$invoiceBody,"amount":900}
  400 INVALID_PARAMS amount is not a known field; did you mean amount_minor_units?
owner POST /v1/financing/invoices {"merchant_id":"m-1","invoice_number":"1","amount_minor_units":"900","currency":"KES","issued_date":"2026-01-01","due_date":"2026-02-01"}
  400 INVALID_PARAMS amount_minor_units must be a number
owner POST /v1/financing/invoices {"merchant_id":"m-1","invoice_number":"1","amount_minor_units":900,"currency":"KES","issued_date":"01.02.2026","due_date":"2026-02-01"}
  400 INVALID_PARAMS issued_date must be a date such as 2026-01-31
owner POST /v1/financing/invoices {"merchant_id":"m-1","invoice_number":"1","amount_minor_units":900,"currency":"KES","issued_date":"2026-02-01","due_date":"2026-01-01"}
  400 INVALID_PARAMS due_date must not be before issued_date
owner GET /v1/financing/invoices?due_before=2026-01-01
  400 INVALID_PARAMS query.status must be FINANCED or OVERDUE together with due_before
owner GET /v1/financing/invoices?status=LATE
  400 INVALID_PARAMS query.status must be one of "PENDING", "APPROVED", "FINANCED", "OVERDUE", "REJECTED", "CANCELLED", "PAID"
owner PUT /v1/branding/$organization {"primary_color":"green"}
  400 INVALID_PARAMS primary_color must be a hex colour, such as #0A7D38
owner GET /v1/audit?actor_id=a&operation=b
  400 INVALID_PARAMS query.operation cannot be sent together with actor_id
owner GET /v1/portfolio?on=2099-01-01
  400 INVALID_PARAMS query.on is not closed yet: the last closed day is $yesterday
nobody POST /v1/invitations/accept {"token":"rubbish"}
  401 UNAUTHORISED Credentials are missing. Send Authorization: Bearer <token>
user POST /v1/invitations/accept {"token":"rubbish"}
  404 NOT_FOUND There is no such invitation: send the token of the latest mail about it
`;

export const OPERATORS = `
operator GET /v1/accounts
  400 BAD_REQUEST query.user_id is required, or account_number, or an acting organization
operator GET /v1/webhooks
  403 FORBIDDEN Name the acting organization in X-Organization-Id
operator GET /v1/user/payees
  403 FORBIDDEN This is for users
operator POST /v1/platform/organizations {"name":"Acme","slug":"Acme Ltd"}
  400 INVALID_PARAMS slug must be 1 to 63 lowercase letters, digits and inner hyphens
operator POST /v1/platform/organizations {"name":"Acme","slug":"$slug"}
  409 ORGANIZATION_SLUG_TAKEN Another organization has this slug
operator POST /v1/platform/organizations/$organization/members {"user_id":"$owner","role":"organization-viewer"}
  409 INVALID_STATE The user is already a member
operator POST /v1/platform/organizations/$absent/members {"user_id":"$owner","role":"organization-viewer"}
  404 NOT_FOUND There is no such organization
operator POST /v1/platform/loan-products {"name":"x"}
  400 INVALID_PARAMS organization_id is required (and 11 more)
operator PATCH /v1/platform/loan-products/$product {"base_limit":1}
  400 INVALID_PARAMS base_limit is not a known field
operator PATCH /v1/platform/loan-products/$product {"status":"PAUSED"}
  400 INVALID_PARAMS status must be one of "ACTIVE", "SUSPENDED", "RETIRED"
operator POST /v1/platform/users/$user/admit?dry_run=true
  400 INVALID_PARAMS query.dry_run is no parameter of this operation, which has none
operator POST /v1/platform/users/$absent/admit
  404 NOT_FOUND There is no such user
operator PUT /v1/platform/users/$user/credit-profile {"limit":"5000"}
  400 INVALID_PARAMS limit must be a number
operator POST /v1/platform/accounts/$account/waivers {"installment_id":"$absent","amount":100,"reason":"goodwill"}
  404 NOT_FOUND The account has no such installment, or there is no such account
operator POST /v1/platform/accounts/$account/overpayment/refund
  409 INVALID_STATE Nothing is overpaid
operator POST /v1/platform/accounts/$account/close
  409 INVALID_STATE The account still owes something
operator POST /v1/platform/accounts/$wallet/unfreeze {"reason":"over"}
  409 INVALID_STATE The account is ACTIVE: this is possible while it is FROZEN
operator POST /v1/platform/unmatched-payments/$payment/match {"account_id":"$account"}
  409 INVALID_STATE The payment is POSTED: this is possible while it is UNMATCHED
operator GET /v1/platform/users?q=
  400 INVALID_PARAMS query.q must have at least 1 character
operator GET /v1/disbursements
  400 INVALID_PARAMS query.account_id is required, or status
operator GET /v1/disbursements?status=SUCCEEDED
  400 INVALID_PARAMS query.status must be one of "PENDING", "ACCEPTED"
operator POST /v1/financing/invoices/$invoice/finance [x-organization-id: $organization] {"fee":100}
  409 INVALID_STATE The invoice is PENDING: this is possible while it is APPROVED
operator POST /v1/financing/invoices/$invoice/repayments {"external_id":"x","amount":{"value":1,"currency":"KES"},"transacted_at":"$now"}
  409 INVALID_STATE The invoice is PENDING: this is possible while it is FINANCED or OVERDUE
operator POST /v1/platform/issuers {"issuer":"https://issuer.example","kind":"identity","audience":"service","jwks_uri":"http://issuer.example/keys","algorithms":["RS256"]}
  400 INVALID_PARAMS jwks_uri must be a public HTTPS address
operator POST /v1/platform/issuers {"issuer":"https://issuer.example","kind":"identity","audience":"service","jwks_uri":"https://issuer.example/keys","algorithms":["HS256"]}
  400 INVALID_PARAMS algorithms[0] must be one of "RS256", "PS256", "ES256", "EdDSA"
operator PUT /v1/platform/app/settings {"minimum_supported_version":"one"}
  400 INVALID_PARAMS minimum_supported_version must be a semantic version, such as 4.2.0
nobody POST /v1/integrations/disbursements/$absent/result {"status":"SUCCEEDED"}
  401 UNAUTHORISED Credentials are missing. Send Authorization: Bearer <token>, or X-Service-Signature with the signature of the body
nobody POST /v1/integrations/custodian/movements [x-service-signature: t=1,v1=00] {}
  401 UNAUTHORISED X-Service-Signature does not verify: sign the raw body with the shared secret, at the present time
operator POST /v1/integrations/custodian/movements {"movement_id":"m-1","account_id":"$absent","direction":"CREDIT","amount":{"value":1,"currency":"KES"},"occurred_at":"$now"}
  400 INVALID_PARAMS amount must be a number (and 1 more)
nobody POST /v1/integrations/mobile-money/daraja/guess/confirmation {"TransID":"R","TransTime":"20251122063845","TransAmount":"10.00"}
  404 NOT_FOUND No operation has this path
nobody POST /v1/sandbox/tokens {"kind":"admin","subject":"root"}
  400 INVALID_PARAMS kind must be one of "partner", "phone", "identity", "operator"
nobody GET /v1/nothing
  404 NOT_FOUND No operation has this path
`;

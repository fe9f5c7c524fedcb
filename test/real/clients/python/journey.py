"""The journey of a client in Python."""

import os
import sys
import time
import urllib.request
from uuid import uuid4

sys.path.insert(0, "client")

import fas

ORGANIZATION = os.environ["ORGANIZATION"]
SUBJECT = f"python-{uuid4()}"
HOOK = f"{os.environ['RECEIVER']}/python"


def client(token=None):
    return fas.ApiClient(fas.Configuration(host=os.environ["SERVICE"], access_token=token))


def sandbox_token(kind, **claims):
    request = fas.CreateSandboxTokenRequest(kind=kind, subject=SUBJECT, **claims)
    return fas.SandboxApi(client()).create_sandbox_token(request).token


operator = client(sandbox_token("operator"))

# Sign in.
partner = sandbox_token("partner", organization=ORGANIZATION)
exchanged = fas.TokensAndSignInApi(client()).exchange_partner_token(fas.ExchangePartnerTokenRequest(partner_token=partner))
user = client(exchanged.access_token)
me = fas.UsersApi(user).get_me().actual_instance
assert isinstance(me, fas.User), me
if me.status == "WAITING_LIST":
    fas.UsersApi(operator).admit_user(me.id)

# Offer, apply, account.
loans = fas.LoansApi(user)
offer = loans.create_loan_application(fas.CreateLoanApplicationRequest(), idempotency_key=str(uuid4()))
applied = loans.apply_for_loan(str(offer.id), fas.ApplyForLoanRequest(loan_amount=offer.terms_range.max_loan_amount), str(uuid4()))
assert applied.status == "DISBURSED", applied
[account] = [row.actual_instance for row in fas.AccountsApi(user).list_accounts().data]
assert isinstance(account, fas.CreditAccount) and account.status == "ACTIVE", account
assert fas.AccountsApi(user).get_account(account.id).actual_instance.id == account.id

# A refusal as data.
webhooks = fas.WebhooksApi(operator)
try:
    webhooks.create_webhook(
        fas.CreateWebhookRequest(name="Ours", url=HOOK, events=["webhook.test"], timeout="PT1H"), x_organization_id=ORGANIZATION
    )
    raise AssertionError("an hour was taken")
except fas.ApiException as refused:
    [fault] = refused.data.invalid_params
    assert (refused.status, refused.data.code, fault.path) == (400, "INVALID_PARAMS", "timeout"), refused
    assert "duration" in fault.reason

# An endpoint, and test deliveries over two pages.
request = fas.CreateWebhookRequest(name=SUBJECT, url=HOOK, events=["loan.disbursed"])
endpoint = webhooks.create_webhook(request, x_organization_id=ORGANIZATION)
for _ in range(3):
    webhooks.test_webhook(endpoint.id, x_organization_id=ORGANIZATION)
first = webhooks.list_deliveries(size=2, webhook_id=endpoint.id, x_organization_id=ORGANIZATION)
second = webhooks.list_deliveries(size=2, after=first.next, webhook_id=endpoint.id, x_organization_id=ORGANIZATION)
assert (len(first.data), len(second.data)) == (2, 1)


def received():
    for _ in range(100):
        try:
            return urllib.request.urlopen(HOOK).read().decode()
        except urllib.error.HTTPError:
            time.sleep(0.1)
    raise AssertionError("nothing was delivered")


delivery = fas.DeliveredEvent.from_json(received()).actual_instance
assert isinstance(delivery, fas.WebhookTestEvent), delivery
assert delivery.event_type == "webhook.test" and delivery.data.webhook_id == endpoint.id, delivery

# A value that a later version of the service may answer, and money beyond 32 bits.
assert fas.Tenure.from_dict({"duration": 1, "unit": "QUARTERS"}).unit == "QUARTERS"
assert fas.ApplyForLoanRequest(loan_amount=3_000_000_000).to_dict() == {"loan_amount": 3_000_000_000}

import { createClient } from "../../client/src/index";

const { API: baseUrl = "", PARTNER: partner_token = "" } = process.env;
const { access_token: token } = await createClient({ baseUrl }).exchangePartnerToken({ body: { partner_token } });
const api = createClient({ baseUrl, token });

const offer = await api.createLoanApplication({ body: {} });
console.log(`You can borrow ${offer.terms_range?.min_loan_amount} to ${offer.terms_range?.max_loan_amount}`);
const loan = await api.applyForLoan({ path: { application_id: offer.id }, body: { loan_amount: 60_000 } });
console.log(loan.status);

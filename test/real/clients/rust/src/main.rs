// An amount beyond 32 bits, and a value that a later version of the service may answer.

use fas::models::{ApplyForLoanRequest, Tenure};

fn main() {
    let wanted: ApplyForLoanRequest = serde_json::from_str(r#"{"loan_amount":3000000000}"#).unwrap();
    assert_eq!(wanted.loan_amount, 3_000_000_000);
    let tenure: Tenure = serde_json::from_str(r#"{"duration":1,"unit":"QUARTERS"}"#).unwrap();
    assert_eq!(tenure.unit, "QUARTERS");
}

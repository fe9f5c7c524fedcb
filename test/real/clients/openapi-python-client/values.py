"""An amount beyond 32 bits, and a value that a later version of the service may answer."""

from client.models import ApplyForLoanBody, Tenure

wanted = ApplyForLoanBody.from_dict({"loan_amount": 3_000_000_000})
assert wanted.loan_amount == 3_000_000_000, wanted
tenure = Tenure.from_dict({"duration": 1, "unit": "QUARTERS"})
assert tenure.unit == "QUARTERS", tenure

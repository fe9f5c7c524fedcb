// An amount beyond 32 bits, and a value that a later version of the service may answer.
package main

import (
	"encoding/json"

	fas "example.com/values/client"
)

func must(truth bool) {
	if !truth {
		panic("a value has changed")
	}
}

func main() {
	var wanted fas.ApplyForLoanJSONRequestBody
	must(json.Unmarshal([]byte(`{"loan_amount":3000000000}`), &wanted) == nil && wanted.LoanAmount == 3_000_000_000)
	var tenure fas.Tenure
	must(json.Unmarshal([]byte(`{"duration":1,"unit":"QUARTERS"}`), &tenure) == nil && tenure.Unit == "QUARTERS")
}

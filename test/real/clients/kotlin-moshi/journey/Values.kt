// An amount beyond 32 bits, and a value that a later version of the service may answer.

import fas.infrastructure.Serializer
import fas.models.*

fun main() {
	val wanted = Serializer.moshi.adapter(ApplyForLoanRequest::class.java).fromJson("""{"loan_amount":3000000000}""")
	check(wanted?.loanAmount == 3_000_000_000) { "$wanted" }
	val tenure = Serializer.moshi.adapter(Tenure::class.java).fromJson("""{"duration":1,"unit":"QUARTERS"}""")
	check(tenure?.unit == "QUARTERS") { "$tenure" }
}

// The journey of a client in Kotlin.

import fas.apis.*
import fas.infrastructure.ClientError
import fas.infrastructure.ClientException
import fas.infrastructure.Serializer
import fas.models.*
import java.net.HttpURLConnection
import java.net.URI
import java.util.UUID
import okhttp3.OkHttpClient

val service: String = System.getenv("SERVICE")
val organization: String = System.getenv("ORGANIZATION")
val hook = System.getenv("RECEIVER") + "/kotlin"
val run = "kotlin-" + UUID.randomUUID()

fun with(token: String?): OkHttpClient = OkHttpClient.Builder().addInterceptor { chain ->
	val request = chain.request().newBuilder()
	if (token != null) request.header("Authorization", "Bearer $token")
	chain.proceed(request.build())
}.build()

fun sandboxToken(kind: CreateSandboxTokenRequest.Kind, organization: String? = null): String =
	SandboxApi(service, with(null)).createSandboxToken(CreateSandboxTokenRequest(kind = kind, subject = run, organization = organization)).token

fun main() {
	// What is null is left out.
	Serializer.kotlinxSerializationJsonConfiguration = { explicitNulls = false }
	val operator = with(sandboxToken(CreateSandboxTokenRequest.Kind.`operator`))

	// Sign in.
	val partner = sandboxToken(CreateSandboxTokenRequest.Kind.partner, organization)
	val exchanged = TokensAndSignInApi(service, with(null)).exchangePartnerToken(ExchangePartnerTokenRequest(partner))
	val user = with(exchanged.accessToken)
	val me = (UsersApi(service, user).getMe() as Caller.UserWrapper).value
	if (me.status == "WAITING_LIST") UsersApi(service, operator).admitUser(me.id)

	// Offer, apply, account.
	val loans = LoansApi(service, user)
	val offer = loans.createLoanApplication(CreateLoanApplicationRequest())
	val applied = loans.applyForLoan(offer.id.toString(), ApplyForLoanRequest(offer.termsRange!!.maxLoanAmount), run)
	check(applied.status == "DISBURSED") { applied }
	val accounts = AccountsApi(service, user)
	val account = (accounts.listAccounts().`data`.single() as Account.CreditWrapper).value
	check(account.status == "ACTIVE") { account }
	check((accounts.getAccount(account.id) as Account.CreditWrapper).value.id == account.id)

	// A refusal as data: the generated exception has its body as text, which the generated model reads.
	val webhooks = WebhooksApi(service, operator)
	try {
		webhooks.createWebhook(CreateWebhookRequest(name = "Ours", url = hook, events = listOf("loan.disbursed"), timeout = "PT1H"), organization)
		error("an hour was taken")
	} catch (refused: ClientException) {
		val body = (refused.response as ClientError<*>).body as String
		val problem = Serializer.kotlinxSerializationJson.decodeFromString(Problem.serializer(), body)
		check(refused.statusCode == 400 && problem.code == "INVALID_PARAMS") { problem }
		val fault = problem.invalidParams!!.single()
		check(fault.path == "timeout" && "duration" in fault.reason) { fault }
	}

	// An endpoint, and test deliveries over two pages.
	val endpoint = webhooks.createWebhook(CreateWebhookRequest(name = run, url = hook, events = listOf("loan.disbursed")), organization)
	repeat(3) { webhooks.testWebhook(endpoint.id, organization, testWebhookRequest = TestWebhookRequest()) }
	val first = webhooks.listDeliveries(size = 2, webhookId = endpoint.id, xOrganizationId = organization)
	val second = webhooks.listDeliveries(size = 2, after = first.next, webhookId = endpoint.id, xOrganizationId = organization)
	check(first.`data`.size == 2 && second.`data`.size == 1) { second }

	// A delivery, by its event type.
	val delivery = Serializer.kotlinxSerializationJson.decodeFromString(DeliveredEvent.serializer(), received())
	check((delivery as DeliveredEvent.WebhooktestWrapper).value.`data`.webhookId == endpoint.id) { delivery }

	// A value that a later version of the service may answer, and money beyond 32 bits.
	val tenure = Serializer.kotlinxSerializationJson.decodeFromString(Tenure.serializer(), """{"duration":1,"unit":"QUARTERS"}""")
	check(tenure.unit == "QUARTERS") { tenure }
	check(ApplyForLoanRequest(3_000_000_000).loanAmount == 3_000_000_000)
}

fun received(): String {
	repeat(100) {
		val answer = URI(hook).toURL().openConnection() as HttpURLConnection
		if (answer.responseCode == 200) return answer.inputStream.reader().readText()
		Thread.sleep(100)
	}
	error("nothing was delivered")
}

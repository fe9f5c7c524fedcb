// The app of the guide "An app in one evening", over a network that loses the first answer to each of its calls.

package evening

import fas.apis.*
import fas.infrastructure.ClientError
import fas.infrastructure.ClientException
import fas.infrastructure.Serializer
import fas.models.*
import java.io.IOException
import java.util.UUID
import okhttp3.Interceptor
import okhttp3.OkHttpClient
import okhttp3.Request
import okhttp3.Response

/** Sends a call again whose answer was lost, where that is safe: reads, changes with a key, and the steps of a sign-in. */
class SentAgain : Interceptor {
	var times = 0

	override fun intercept(chain: Interceptor.Chain): Response {
		val request = chain.request()
		val isStep = request.url.encodedPath.startsWith("/v1/auth/") && !request.url.encodedPath.endsWith("/verifications")
		val isSafe = request.method == "GET" || request.header("Idempotency-Key") != null || isStep
		for (attempt in 1..3) {
			try {
				val answer = chain.proceed(request)
				if (answer.code < 400 && answer.code != 204 && answer.body.contentType()?.subtype != "json") throw IOException("this is not the service")
				return answer
			} catch (lost: IOException) {
				if (!isSafe) throw lost
				times++
				Thread.sleep(250L * attempt)
			}
		}
		return chain.proceed(request)
	}
}

/** What the device keeps. */
class Keychain(var refreshToken: String? = null, val deviceId: String = UUID.randomUUID().toString())

/** Puts the token on each call; a refused one is renewed once, however many calls it was refused to. */
class Session(private val signedOut: TokensAndSignInApi, private val keychain: Keychain) : Interceptor {
	private var accessToken: String? = null

	@Synchronized
	private fun tokenAfter(refused: String?): String {
		accessToken?.let { if (it != refused) return it }
		val renewed = signedOut.refreshSession(RefreshSessionRequest(keychain.refreshToken ?: error("signed out")))
		keychain.refreshToken = renewed.refreshToken
		return renewed.accessToken.also { accessToken = it }
	}

	override fun intercept(chain: Interceptor.Chain): Response {
		val with = { token: String -> chain.request().newBuilder().header("Authorization", "Bearer $token").build() }
		val token = tokenAfter(null)
		val answer = chain.proceed(with(token))
		if (answer.code != 401) return answer
		answer.close()
		return chain.proceed(with(tokenAfter(token)))
	}
}

fun known(request: Request): Request =
	request.newBuilder().header("X-App-Platform", "ANDROID").header("X-App-Version", "1.0.0").header("Accept-Language", "sw").build()

fun reasonOf(refused: ClientException): ApiError =
	Serializer.kotlinxSerializationJson.decodeFromString(ApiError.serializer(), (refused.response as ClientError<*>).body as String)

fun main() {
	Serializer.kotlinxSerializationJsonConfiguration = { explicitNulls = false }
	val service = System.getenv("SERVICE")
	val network = System.getenv("NETWORK")
	val operator = OkHttpClient.Builder().addInterceptor {
		it.proceed(it.request().newBuilder().header("Authorization", "Bearer ${System.getenv("OPERATOR")}").build())
	}.build()

	val again = SentAgain()
	val plain = OkHttpClient.Builder().retryOnConnectionFailure(false).addInterceptor { it.proceed(known(it.request())) }.addInterceptor(again).build()
	val keychain = Keychain()
	val signIn = TokensAndSignInApi(network, plain)

	// Before anybody has signed in.
	check(!AppSettingsApi(network, plain).getAppSettings(AppSettingsApi.PlatformGetAppSettings.ANDROID, "1.0.0").updateRequired)
	check(BrandingApi(network, plain).getBrand("clients").name == "Clients")

	// Number and code. The user taps again where there is no answer.
	val digits = "7" + (10_000_000..99_999_999).random()
	val asked = StartPhoneVerificationRequest(mobileCountryCode = "254", mobileNumber = "+254$digits", organization = "clients")
	val verification = try {
		signIn.startPhoneVerification(asked)
	} catch (lost: IOException) {
		signIn.startPhoneVerification(asked)
	}
	val code = SandboxApi(service, operator).listMessages(recipient = "+254$digits").`data`.first().otpCode!!
	try {
		signIn.confirmPhoneVerification(verification.id, OtpConfirmation(if (code == "000000") "000001" else "000000"))
		error("a wrong code was right")
	} catch (refused: ClientException) {
		val refusal = reasonOf(refused)
		check(refusal.reason == "OTP_WRONG" && refusal.userMessage == "Msimbo huu si sahihi. Tafadhali uangalie tena.") { refusal }
	}
	val verified = signIn.confirmPhoneVerification(verification.id, OtpConfirmation(code))
	val custom = signIn.exchangePhoneToken(ExchangePhoneTokenRequest(verified.phoneVerificationToken))
	keychain.refreshToken = signIn.signIn(SignInRequest(customToken = custom.accessToken, deviceId = keychain.deviceId)).refreshToken

	// From here on the session renews itself.
	val http = plain.newBuilder().apply { interceptors().add(0, Session(signIn, keychain)) }.build()
	val me = (UsersApi(network, http).getMe() as Caller.UserWrapper).value
	UsersApi(service, operator).admitUser(me.id)
	UsersApi(network, http).updateMe(UpdateMeRequest(locale = UpdateMeRequest.Locale.sw), UUID.randomUUID().toString())

	// Offer, price, loan: the key is made at the tap.
	val loans = LoansApi(network, http)
	val offer = loans.createLoanApplication(CreateLoanApplicationRequest(), UUID.randomUUID().toString())
	val quote = loans.quoteLoan(QuoteLoanRequest(loanProductId = offer.loanProductId, loanAmount = 60_000), UUID.randomUUID().toString())
	check(quote.totalDue == 60_000 + quote.totalCost) { quote }
	try {
		loans.applyForLoan(offer.id.toString(), ApplyForLoanRequest(5_000), UUID.randomUUID().toString())
		error("too little was taken")
	} catch (refused: ClientException) {
		check(reasonOf(refused).reason == "AMOUNT_TOO_LOW") { reasonOf(refused) }
	}
	check(loans.applyForLoan(offer.id.toString(), ApplyForLoanRequest(60_000), UUID.randomUUID().toString()).status == "DISBURSED")
	check(loans.getLoanApplication(offer.id.toString()).loanAmount == 60_000L)

	// What is owed, a payment, the inbox.
	val account = { (AccountsApi(network, http).getAccount(offer.accountId) as Account.CreditWrapper).value }
	check(account().balance.totalPaid == 0L)
	check(CreditAccountsApi(network, http).listInstallments(offer.accountId).`data`.isNotEmpty())
	try {
		RepaymentsApi(network, http).promptRepayment(offer.accountId, PromptRepaymentRequest(), idempotencyKey = UUID.randomUUID().toString())
		error("a phone was asked to pay")
	} catch (refused: ClientException) {
		check(reasonOf(refused).reason == "NO_CONNECTION") { reasonOf(refused) }
	}
	SandboxApi(network, http).payInSandbox(PayInSandboxRequest(accountId = offer.accountId, amount = 20_000), UUID.randomUUID().toString())
	check(account().balance.totalPaid == 20_000L) { account().balance }
	val messages = MessagesApi(network, http)
	messages.readMyMessages(ReadMyMessagesRequest(messages.listMyMessages().`data`.first().id), UUID.randomUUID().toString())
	check(messages.listMyMessages().unread == 0L)

	check(again.times >= 15) { "only ${again.times} answers were lost" }
	println("${again.times} answers were lost, and all was done once")
}

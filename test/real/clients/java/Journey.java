// The journey of a client in Java.

import com.fasterxml.jackson.databind.ObjectMapper;
import fas.ApiClient;
import fas.ApiException;
import fas.api.*;
import fas.model.*;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.UUID;

public class Journey {
	static final String ORGANIZATION = System.getenv("ORGANIZATION");
	static final String SUBJECT = "java-" + UUID.randomUUID();
	static final String HOOK = System.getenv("RECEIVER") + "/java";

	static ApiClient with(String token) {
		ApiClient client = new ApiClient();
		client.updateBaseUri(System.getenv("SERVICE"));
		if (token != null) client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + token));
		return client;
	}

	static void must(boolean truth, Object said) {
		if (!truth) throw new AssertionError(said);
	}

	static String sandboxToken(CreateSandboxTokenRequest request) throws ApiException {
		return new SandboxApi(with(null)).createSandboxToken(request).getToken();
	}

	public static void main(String[] args) throws Exception {
		ApiClient operator = with(sandboxToken(
			new CreateSandboxTokenRequest().kind(CreateSandboxTokenRequest.KindEnum.OPERATOR).subject(SUBJECT)));

		// Sign in.
		String partner = sandboxToken(new CreateSandboxTokenRequest()
			.kind(CreateSandboxTokenRequest.KindEnum.PARTNER).subject(SUBJECT).organization(ORGANIZATION));
		ApiClient user = with(new TokensAndSignInApi(with(null))
			.exchangePartnerToken(new ExchangePartnerTokenRequest().partnerToken(partner)).getAccessToken());
		User me = (User) new UsersApi(user).getMe(null, null, null, null).getActualInstance();
		if ("WAITING_LIST".equals(me.getStatus())) new UsersApi(operator).admitUser(me.getId(), null, null);

		// Offer, apply, account.
		LoansApi loans = new LoansApi(user);
		LoanApplication offer = loans.createLoanApplication(new CreateLoanApplicationRequest(), null, null, null);
		LoanApplication applied = loans.applyForLoan(
			offer.getId().toString(), new ApplyForLoanRequest().loanAmount(offer.getTermsRange().getMaxLoanAmount()), UUID.randomUUID().toString(), null, null);
		must("DISBURSED".equals(applied.getStatus()), applied);
		List<Account> accounts = new AccountsApi(user).listAccounts(AccountsApi.APIListAccountsRequest.newBuilder().build()).getData();
		CreditAccount account = accounts.get(0).getCreditAccount();
		must(accounts.size() == 1 && "ACTIVE".equals(account.getStatus()), accounts);
		must(new AccountsApi(user).getAccount(AccountsApi.APIGetAccountRequest.newBuilder().accountId(account.getId()).build())
			.getCreditAccount().getId().equals(account.getId()), "another account");

		// A refusal as data: the generated exception has its body as text, which the generated model reads.
		WebhooksApi webhooks = new WebhooksApi(operator);
		ObjectMapper json = operator.getObjectMapper();
		CreateWebhookRequest request = new CreateWebhookRequest().name(SUBJECT).url(HOOK).events(List.of("loan.disbursed"));
		try {
			webhooks.createWebhook(new CreateWebhookRequest().name("Ours").url(HOOK).events(List.of("loan.disbursed")).timeout("PT1H"),
				ORGANIZATION, null);
			throw new AssertionError("an hour was taken");
		} catch (ApiException refused) {
			Problem problem = json.readValue(refused.getResponseBody(), Problem.class);
			must(refused.getCode() == 400 && "INVALID_PARAMS".equals(problem.getCode()), problem);
			must("timeout".equals(problem.getInvalidParams().get(0).getPath()), problem);
			must(problem.getInvalidParams().get(0).getReason().contains("duration"), problem);
		}

		// An endpoint, and test deliveries over two pages.
		WebhookEndpoint endpoint = webhooks.createWebhook(request, ORGANIZATION, null);
		for (int sent = 0; sent < 3; sent++) webhooks.testWebhook(endpoint.getId(), ORGANIZATION, null, new TestWebhookRequest());
		var first = webhooks.listDeliveries(2, null, null, endpoint.getId(), null, null, null, null, null, ORGANIZATION, null, null);
		var second = webhooks.listDeliveries(2, first.getNext(), null, endpoint.getId(), null, null, null, null, null, ORGANIZATION, null, null);
		must(first.getData().size() == 2 && second.getData().size() == 1, second);

		// A delivery, by its event type.
		DeliveredEvent delivery = json.readValue(received(), DeliveredEvent.class);
		must(delivery.getWebhookTestEvent().getData().getWebhookId().equals(endpoint.getId()), delivery);

		// A value that a later version of the service may answer, and money beyond 32 bits.
		must("QUARTERS".equals(json.readValue("{\"duration\":1,\"unit\":\"QUARTERS\"}", Tenure.class).getUnit()), "unit");
		must(new ApplyForLoanRequest().loanAmount(3_000_000_000L).getLoanAmount() == 3_000_000_000L, "money");
	}

	static String received() throws Exception {
		for (int tried = 0; tried < 100; tried++) {
			HttpResponse<String> answer = HttpClient.newHttpClient()
				.send(HttpRequest.newBuilder(URI.create(HOOK)).build(), HttpResponse.BodyHandlers.ofString());
			if (answer.statusCode() == 200) return answer.body();
			Thread.sleep(100);
		}
		throw new AssertionError("nothing was delivered");
	}
}

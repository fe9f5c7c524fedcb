// The journey of a client in Go.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"example.com/fas"
)

var organization = os.Getenv("ORGANIZATION")
var run = fmt.Sprint("go-", time.Now().UnixNano())
var hook = os.Getenv("RECEIVER") + "/go"

func must(truth bool, said ...any) {
	if !truth {
		panic(fmt.Sprint(said...))
	}
}

func got[T any](value T, _ *http.Response, err error) T {
	if err != nil {
		var refused *fas.GenericOpenAPIError
		if errors.As(err, &refused) {
			panic(fmt.Sprint(err, " ", string(refused.Body())))
		}
		panic(err)
	}
	return value
}

func with(token string) context.Context {
	return context.WithValue(context.Background(), fas.ContextAccessToken, token)
}

func main() {
	configuration := fas.NewConfiguration()
	configuration.Servers = fas.ServerConfigurations{{URL: os.Getenv("SERVICE")}}
	api := fas.NewAPIClient(configuration)
	anyone := context.Background()
	operator := with(got(api.SandboxAPI.CreateSandboxToken(anyone).
		CreateSandboxTokenRequest(*fas.NewCreateSandboxTokenRequest("operator", run)).Execute()).Token)

	// Sign in.
	identity := fas.NewCreateSandboxTokenRequest("partner", run)
	identity.SetOrganization(organization)
	partner := got(api.SandboxAPI.CreateSandboxToken(anyone).CreateSandboxTokenRequest(*identity).Execute()).Token
	user := with(got(api.TokensAndSignInAPI.ExchangePartnerToken(anyone).
		ExchangePartnerTokenRequest(*fas.NewExchangePartnerTokenRequest(partner)).Execute()).AccessToken)
	me := got(api.UsersAPI.GetMe(user).Execute()).User
	must(me != nil, "no user")
	if me.Status == "WAITING_LIST" {
		got(api.UsersAPI.AdmitUser(operator, me.Id).Execute())
	}

	// Offer, apply, account.
	offer := got(api.LoansAPI.CreateLoanApplication(user).
		CreateLoanApplicationRequest(*fas.NewCreateLoanApplicationRequest()).Execute())
	applied := got(api.LoansAPI.ApplyForLoan(user, offer.Id).IdempotencyKey(run).
		ApplyForLoanRequest(*fas.NewApplyForLoanRequest(offer.TermsRange.MaxLoanAmount)).Execute())
	must(applied.Status == "DISBURSED", applied.Status)
	accounts := got(api.AccountsAPI.ListAccounts(user).Execute()).Data
	must(len(accounts) == 1 && accounts[0].CreditAccount != nil, accounts)
	account := got(api.AccountsAPI.GetAccount(user, accounts[0].CreditAccount.Id).Execute()).CreditAccount
	must(account.Status == "ACTIVE", account.Status)

	// A refusal as data.
	wrong := fas.NewCreateWebhookRequest("Ours", hook, []string{"loan.disbursed"})
	wrong.SetTimeout("PT1H")
	_, answer, err := api.WebhooksAPI.CreateWebhook(operator).XOrganizationId(organization).CreateWebhookRequest(*wrong).Execute()
	var refused *fas.GenericOpenAPIError
	must(errors.As(err, &refused) && answer.StatusCode == 400, err)
	fault, isFault := refused.Model().(fas.ApiError)
	must(isFault && fault.Code == "INVALID_PARAMS" && len(fault.InvalidParams) == 1, refused.Model())
	must(fault.InvalidParams[0].Path == "timeout" && strings.Contains(fault.InvalidParams[0].Reason, "duration"), fault.InvalidParams)

	// An endpoint, and test deliveries over two pages.
	endpoint := got(api.WebhooksAPI.CreateWebhook(operator).XOrganizationId(organization).
		CreateWebhookRequest(*fas.NewCreateWebhookRequest(run, hook, []string{"loan.disbursed"})).Execute())
	for range 3 {
		got(api.WebhooksAPI.TestWebhook(operator, endpoint.Id).XOrganizationId(organization).
			TestWebhookRequest(*fas.NewTestWebhookRequest()).Execute())
	}
	page := api.WebhooksAPI.ListDeliveries(operator).XOrganizationId(organization).WebhookId(endpoint.Id).Size(2)
	first := got(page.Execute())
	second := got(page.After(first.GetNext()).Execute())
	must(len(first.Data) == 2 && len(second.Data) == 1, first, second)

	// A delivery, by its event type.
	var delivery fas.DeliveredEvent
	must(json.Unmarshal(received(), &delivery) == nil, "not parsed")
	must(delivery.WebhookTestEvent != nil && delivery.WebhookTestEvent.Data.WebhookId == endpoint.Id, delivery)

	// A value that a later version of the service may answer, and money beyond 32 bits.
	var tenure fas.Tenure
	must(json.Unmarshal([]byte(`{"duration":1,"unit":"QUARTERS"}`), &tenure) == nil && string(tenure.Unit) == "QUARTERS", tenure)
	must(fas.NewApplyForLoanRequest(3_000_000_000).LoanAmount == 3_000_000_000)
}

func received() []byte {
	for range 100 {
		answer, err := http.Get(hook)
		if err == nil && answer.StatusCode == 200 {
			body, _ := io.ReadAll(answer.Body)
			return body
		}
		time.Sleep(100 * time.Millisecond)
	}
	panic("nothing was delivered")
}

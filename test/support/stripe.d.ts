// The one function of Stripe's client that the tests use. Its own declarations are 130,000 lines.

export declare const Stripe: { webhooks: { constructEventAsync(payload: string, header: string, secret: string): Promise<unknown> } };

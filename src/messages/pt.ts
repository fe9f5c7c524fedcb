// Portuguese.

import type { Catalogue } from "./catalogue";

export const pt: Catalogue = {
	code: {
		one: "{code} é o seu código. É válido durante {minutes} minuto. Não o partilhe com ninguém.",
		other: "{code} é o seu código. É válido durante {minutes} minutos. Não o partilhe com ninguém.",
	},
	codeOfLender: {
		one: "{code} é o seu código para {lender}. É válido durante {minutes} minuto. Não o partilhe com ninguém.",
		other: "{code} é o seu código para {lender}. É válido durante {minutes} minutos. Não o partilhe com ninguém.",
	},
	payBill: "No M-Pesa escolha Lipa na M-Pesa, Pay Bill. Número da empresa: {shortcode}. Número da conta: {account}.",
	reviewed: false,
	refusals: {
		ACCOUNT_HAS_NON_ZERO_BALANCE: "Ainda há dinheiro na conta. Transfira-o primeiro.",
		AMOUNT_NOT_A_STEP: "Escolha um valor em múltiplos de {sum}.",
		AMOUNT_TOO_HIGH: "Escolha no máximo {sum}.",
		AMOUNT_TOO_LOW: "Escolha pelo menos {sum}.",
		APPLICATION_EXPIRED: "Esta oferta expirou. Peça uma nova.",
		CAUTION: "Iniciou sessão há pouco tempo. Para proteger o seu dinheiro, isto ainda não é possível.",
		CONCURRENT_CHANGE: "Algo mudou no mesmo momento. Tente novamente.",
		CUSTOM_TOKEN_ENDED: "O início de sessão demorou demasiado. Comece de novo.",
		DAILY_LIMIT: "Atingiu o seu limite de hoje.",
		INSUFFICIENT_FUNDS: "Não há dinheiro suficiente na sua conta.",
		INTERNAL_SERVER_ERROR: "Ocorreu um erro. Tente novamente.",
		MOBILE_NUMBER_IN_USE: "Este número já está em uso. Inicie sessão com ele ou use outro.",
		NO_CONNECTION: "Ainda não pode pagar a partir daqui. Pague de outra forma.",
		NO_NUMBER: "Não tem um número com o qual pagar.",
		NOTHING_DUE: "Não tem nada a pagar agora.",
		OFFER_CHANGED: "Esta oferta já não é válida. Peça uma nova.",
		OTP_EXPIRED: "Este código expirou. Peça um novo.",
		OTP_TRIES_USED: "O código esteve errado demasiadas vezes. Peça um novo.",
		OTP_USED: "Este código já foi usado. Peça um novo.",
		OTP_WAIT: "Acabámos de lhe enviar um código. Espere um pouco antes de pedir outro.",
		OTP_WRONG: "Este código não está certo. Verifique-o.",
		PAYEE_BLOCKED: "Bloqueou este beneficiário. Desbloqueie-o primeiro.",
		PAYEE_CHANGED: "O nome associado a este número mudou. Verifique-o antes de pagar.",
		PROMPT_OPEN: "Há um pedido de pagamento no seu telefone. Veja o seu telefone.",
		SERVICE_UNAVAILABLE: "De momento não estamos disponíveis. Tente mais tarde.",
		SESSION_ENDED: "Inicie sessão novamente.",
		SIM_EXCHANGED: "O cartão SIM deste número foi trocado há pouco tempo. Contacte-nos.",
		TOO_MANY_REQUESTS: "Tentou demasiadas vezes. Espere um pouco.",
		UPGRADE_REQUIRED: "Esta versão da aplicação já não funciona. Atualize-a.",
		USER_BLOCKED: "O seu acesso está bloqueado. Contacte-nos.",
		WAITING_LIST: "Está na lista de espera. Avisaremos quando for a sua vez.",
	},
};

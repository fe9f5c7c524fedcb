// Portuguese.

import type { Catalogue } from "./catalogue";

export const pt: Catalogue = {
	from: "{lender}: ",
	messages: {
		ACCOUNT_NOT_CLOSED: "A sua conta corrente não foi encerrada e pode voltar a ser usada.",
		ACCOUNT_NOT_OPENED: "Não foi possível abrir a sua conta corrente.",
		ACCOUNT_USABLE_AGAIN: "A sua conta pode voltar a ser usada. Se isto o surpreende, contacte-nos de imediato.",
		ADMIN_ADDED: "Alguém passou a administrar a sua organização. Se não sabe disto, verifique de imediato os seus membros.",
		ADMITTED: "Já não está na lista de espera e pode usar o serviço a partir de agora.",
		API_KEY_ADDED: "Uma nova chave de API da sua organização, {key}, funciona a partir de agora.",
		CODE: "{code} é o seu código. É válido durante {minutes, plural, one {# minuto} other {# minutos}}. Não o partilhe com ninguém.",
		CONNECTION_CHANGED:
			"As credenciais de {account}, pelo qual a sua organização paga e é paga, foram alteradas. Se não sabe disto, verifique de imediato.",
		CONNECTION_ENDED:
			"A sua organização já não paga nem é paga por {account}: foi desligado. A partir de amanhã pode ser ligada outra conta. Se não sabe disto, verifique de imediato.",
		CONNECTION_MADE: "A sua organização paga e é paga por {account} a partir de agora. Se não sabe disto, verifique de imediato.",
		CONNECTION_REPLACED:
			"A sua organização paga e é paga por {account} a partir de agora, em vez da conta anterior. Se não sabe disto, verifique de imediato.",
		CONNECTION_REPLACEMENT_DISCARDED:
			"A sua organização não vai pagar nem ser paga por {account}: alguém desistiu disso. Se não sabe disto, verifique de imediato.",
		CONNECTION_REPLACEMENT_REQUESTED:
			"Alguém quer que a sua organização pague e seja paga por {account}. Assim será dentro de um dia, ou quando uma segunda pessoa concordar, salvo desistência. Se não sabe disto, verifique de imediato.",
		CREDIT_BUREAU_NOTICE:
			"Deve {sum} de um empréstimo em atraso. Se não pagar, poderemos comunicá-lo como não pago a uma central de crédito a partir de {day}. Se for um erro, diga-nos.",
		IDENTITY_LINKED:
			"A sua conta pode ser usada por outro início de sessão a partir de agora. Se não sabe disto, contacte-nos de imediato.",
		INVITATION:
			"Foi convidado a juntar-se a {organization}. Abra esta ligação dentro de sete dias, inicie sessão com este endereço de e-mail e aceite. Mais ninguém a pode usar: {link}",
		LIMIT_CHANGED: "O limite do que pode pedir emprestado foi alterado. Se isto o surpreende, contacte-nos.",
		LOAN_IMPORTED:
			"Um empréstimo que já tinha com o seu credor aparece na sua conta a partir de agora. Se não o conhece, contacte-nos de imediato.",
		LOAN_NOT_ACCEPTED: "O seu pedido de empréstimo não foi aceite.",
		LOAN_PAID_OUT: "Foram-lhe pagos {sum} do seu empréstimo.",
		MONEY_ARRIVED: "Chegaram {sum} à sua conta corrente.",
		NUMBER_ADDED: "Foi acrescentado um número de telemóvel à sua conta. Se não foi você, contacte-nos de imediato.",
		NUMBER_CHANGED: "O número de telemóvel da sua conta foi alterado. Se não foi você, contacte-nos de imediato.",
		OVERPAYMENT_PAID_BACK: "Foram-lhe devolvidos {sum} que tinha pago a mais.",
		OWNER_ADDED: "Alguém passou a ser proprietário da sua organização. Se não sabe disto, verifique de imediato os seus membros.",
		PAYMENT_DUE: "Um pagamento do seu empréstimo é devido desde {day}. Hoje deve {sum}. Se acabou de pagar, obrigado.",
		PAYMENT_RECEIVED: "Recebemos o seu pagamento de {sum}. Faltam pagar {left}.",
		PAYMENT_RECEIVED_IN_FULL: "Recebemos o seu pagamento de {sum}. Não falta pagar nada.",
		RECOVERY_CANCELLED: "A sua conta não passará para outro número de telemóvel. Por agora continua bloqueada.",
		RECOVERY_FAILED: "A sua conta não pôde passar para outro número de telemóvel. Por agora continua bloqueada: contacte-nos.",
		RECOVERY_ORDERED:
			"Pediram-nos que passássemos a sua conta para outro número de telemóvel. Está bloqueada e recebe esse número em {moment}. Se não fez este pedido, contacte-nos de imediato.",
		SIGNED_IN: "Alguém iniciou sessão na sua conta. Se não foi você, contacte-nos de imediato.",
		TRANSFER_LEAVES: "{sum} saem da sua conta para um beneficiário.",
		TRANSFER_TO_NEW_PAYEE:
			"{sum} saem da sua conta para um beneficiário a quem ela nunca pagou. Se não deu esta ordem, contacte-nos de imediato.",
	},
	newMessage: "Tem uma nova mensagem.",
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

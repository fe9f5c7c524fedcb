// French.

import type { Catalogue } from "./catalogue";

export const fr: Catalogue = {
	code: {
		one: "{code} est votre code. Il est valable {minutes} minute. Ne le communiquez à personne.",
		other: "{code} est votre code. Il est valable {minutes} minutes. Ne le communiquez à personne.",
	},
	codeOfLender: {
		one: "{code} est votre code pour {lender}. Il est valable {minutes} minute. Ne le communiquez à personne.",
		other: "{code} est votre code pour {lender}. Il est valable {minutes} minutes. Ne le communiquez à personne.",
	},
	payBill: "Dans M-Pesa, choisissez Lipa na M-Pesa, Pay Bill. Numéro de l'entreprise : {shortcode}. Numéro de compte : {account}.",
	reviewed: false,
	refusals: {
		ACCOUNT_HAS_NON_ZERO_BALANCE: "Il y a encore de l'argent sur le compte. Transférez-le d'abord.",
		AMOUNT_NOT_A_STEP: "Choisissez un montant par tranches de {sum}.",
		AMOUNT_TOO_HIGH: "Choisissez au plus {sum}.",
		AMOUNT_TOO_LOW: "Choisissez au moins {sum}.",
		APPLICATION_EXPIRED: "Cette offre a expiré. Demandez-en une nouvelle.",
		CAUTION: "Vous vous êtes connecté récemment. Pour protéger votre argent, ce n'est pas encore possible.",
		CONCURRENT_CHANGE: "Quelque chose a changé au même moment. Veuillez réessayer.",
		CUSTOM_TOKEN_ENDED: "La connexion a pris trop de temps. Veuillez recommencer.",
		DAILY_LIMIT: "Vous avez atteint votre limite pour aujourd'hui.",
		INSUFFICIENT_FUNDS: "Il n'y a pas assez d'argent sur votre compte.",
		INTERNAL_SERVER_ERROR: "Une erreur s'est produite. Veuillez réessayer.",
		MOBILE_NUMBER_IN_USE: "Ce numéro est déjà utilisé. Connectez-vous avec ce numéro ou utilisez-en un autre.",
		NO_CONNECTION: "Vous ne pouvez pas encore payer d'ici. Veuillez payer autrement.",
		NO_NUMBER: "Vous n'avez pas de numéro avec lequel payer.",
		NOTHING_DUE: "Vous n'avez rien à payer maintenant.",
		OFFER_CHANGED: "Cette offre n'est plus valable. Demandez-en une nouvelle.",
		OTP_EXPIRED: "Ce code a expiré. Demandez-en un nouveau.",
		OTP_TRIES_USED: "Le code a été erroné trop souvent. Demandez-en un nouveau.",
		OTP_USED: "Ce code a déjà été utilisé. Demandez-en un nouveau.",
		OTP_WAIT: "Nous venons de vous envoyer un code. Attendez un peu avant d'en demander un autre.",
		OTP_WRONG: "Ce code n'est pas correct. Veuillez le vérifier.",
		PAYEE_BLOCKED: "Vous avez bloqué ce bénéficiaire. Débloquez-le d'abord.",
		PAYEE_CHANGED: "Le nom associé à ce numéro a changé. Vérifiez-le avant de payer.",
		PROMPT_OPEN: "Une demande de paiement est en cours sur votre téléphone. Regardez votre téléphone.",
		SERVICE_UNAVAILABLE: "Nous sommes injoignables pour le moment. Veuillez réessayer plus tard.",
		SESSION_ENDED: "Veuillez vous reconnecter.",
		SIM_EXCHANGED: "La carte SIM de ce numéro a été changée récemment. Veuillez nous contacter.",
		TOO_MANY_REQUESTS: "Vous avez essayé trop souvent. Veuillez patienter un peu.",
		UPGRADE_REQUIRED: "Cette version de l'application ne fonctionne plus. Veuillez la mettre à jour.",
		USER_BLOCKED: "Votre accès est bloqué. Veuillez nous contacter.",
		WAITING_LIST: "Vous êtes sur la liste d'attente. Nous vous préviendrons quand ce sera votre tour.",
	},
};

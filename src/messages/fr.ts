// French.

import type { Catalogue } from "./catalogue";

export const fr: Catalogue = {
	from: "{lender} : ",
	messages: {
		ACCOUNT_NOT_CLOSED: "Votre compte courant n'a pas été fermé et peut de nouveau être utilisé.",
		ACCOUNT_NOT_OPENED: "Votre compte courant n'a pas pu être ouvert.",
		ACCOUNT_USABLE_AGAIN: "Votre compte peut de nouveau être utilisé. Si cela vous surprend, contactez-nous immédiatement.",
		ADMIN_ADDED: "Quelqu'un est devenu administrateur de votre organisation. Si vous n'en savez rien, vérifiez immédiatement ses membres.",
		ADMITTED: "Vous n'êtes plus sur la liste d'attente et pouvez désormais utiliser le service.",
		API_KEY_ADDED: "Une nouvelle clé d'API de votre organisation, {key}, est désormais valable.",
		CODE: "{code} est votre code. Il est valable {minutes, plural, one {# minute} other {# minutes}}. Ne le communiquez à personne.",
		CONNECTION_CHANGED:
			"Les identifiants de {account}, par lequel votre organisation paie et est payée, ont été modifiés. Si vous n'en savez rien, vérifiez immédiatement.",
		CONNECTION_ENDED:
			"Votre organisation ne paie et n'est plus payée par {account} : la connexion a été coupée. Dès demain, un autre compte pourra être connecté. Si vous n'en savez rien, vérifiez immédiatement.",
		CONNECTION_MADE: "Votre organisation paie et est payée par {account} désormais. Si vous n'en savez rien, vérifiez immédiatement.",
		CONNECTION_REPLACED:
			"Votre organisation paie et est payée par {account} désormais, à la place du compte précédent. Si vous n'en savez rien, vérifiez immédiatement.",
		CONNECTION_REPLACEMENT_DISCARDED:
			"Votre organisation ne paiera pas et ne sera pas payée par {account} : quelqu'un y a renoncé. Si vous n'en savez rien, vérifiez immédiatement.",
		CONNECTION_REPLACEMENT_REQUESTED:
			"Quelqu'un veut que votre organisation paie et soit payée par {account}. Ce sera le cas dans un jour, ou dès qu'une deuxième personne accepte, sauf renonciation. Si vous n'en savez rien, vérifiez immédiatement.",
		CREDIT_BUREAU_NOTICE:
			"Vous devez {sum} pour un prêt en retard. Sans paiement, nous pourrons le signaler comme impayé à une centrale de crédit à partir du {day}. Si c'est une erreur, dites-le-nous.",
		IDENTITY_LINKED:
			"Votre compte peut désormais être utilisé par une autre connexion. Si vous n'en savez rien, contactez-nous immédiatement.",
		INVITATION:
			"Vous êtes invité à rejoindre {organization}. Ouvrez ce lien dans les sept jours, connectez-vous avec cette adresse e-mail et acceptez. Personne d'autre ne peut l'utiliser : {link}",
		LIMIT_CHANGED: "Le plafond de ce que vous pouvez emprunter a été modifié. Si cela vous surprend, contactez-nous.",
		LOAN_IMPORTED:
			"Un prêt que vous aviez déjà auprès de votre prêteur figure désormais dans votre compte. Si vous ne le connaissez pas, contactez-nous immédiatement.",
		LOAN_NOT_ACCEPTED: "Votre demande de prêt n'a pas été acceptée.",
		LOAN_PAID_OUT: "{sum} de votre prêt vous ont été versés.",
		MONEY_ARRIVED: "{sum} sont arrivés sur votre compte courant.",
		NUMBER_ADDED: "Un numéro de mobile a été ajouté à votre compte. Si ce n'était pas vous, contactez-nous immédiatement.",
		NUMBER_CHANGED: "Le numéro de mobile de votre compte a été modifié. Si ce n'était pas vous, contactez-nous immédiatement.",
		OVERPAYMENT_PAID_BACK: "{sum} que vous aviez payés en trop vous ont été remboursés.",
		OWNER_ADDED: "Quelqu'un est devenu propriétaire de votre organisation. Si vous n'en savez rien, vérifiez immédiatement ses membres.",
		PAYMENT_DUE: "Un paiement de votre prêt est dû depuis le {day}. Vous devez {sum} aujourd'hui. Si vous venez de payer, merci.",
		PAYMENT_RECEIVED: "Nous avons reçu votre paiement de {sum}. Il reste {left} à payer.",
		PAYMENT_RECEIVED_IN_FULL: "Nous avons reçu votre paiement de {sum}. Il ne reste rien à payer.",
		RECOVERY_CANCELLED: "Votre compte ne passera pas à un autre numéro de mobile. Il reste bloqué pour le moment.",
		RECOVERY_FAILED: "Votre compte n'a pas pu passer à un autre numéro de mobile. Il reste bloqué pour le moment : contactez-nous.",
		RECOVERY_ORDERED:
			"On nous a demandé de faire passer votre compte à un autre numéro de mobile. Il est bloqué et recevra ce numéro le {moment}. Si vous ne l'avez pas demandé, contactez-nous immédiatement.",
		SIGNED_IN: "Quelqu'un s'est connecté à votre compte. Si ce n'était pas vous, contactez-nous immédiatement.",
		TRANSFER_LEAVES: "{sum} quittent votre compte pour un bénéficiaire.",
		TRANSFER_TO_NEW_PAYEE:
			"{sum} quittent votre compte pour un bénéficiaire qu'il n'a jamais payé. Si vous n'avez pas donné cet ordre, contactez-nous immédiatement.",
	},
	newMessage: "Vous avez un nouveau message.",
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

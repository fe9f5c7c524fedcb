DROP TRIGGER `charges_of_payments`;
--> statement-breakpoint
DROP TRIGGER `charges_of_restored_payments`;
--> statement-breakpoint
DROP TRIGGER `charges_set_off`;
--> statement-breakpoint
DROP TRIGGER `changed_charges_set_off`;
--> statement-breakpoint
CREATE TABLE `set_offs_due` (
	`organization_id` text NOT NULL,
	`channel` text NOT NULL,
	`currency` text NOT NULL,
	`day` text NOT NULL,
	PRIMARY KEY(`organization_id`, `channel`, `currency`, `day`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `statement_lines_of_charge` ON `statement_lines` (`statement_id`,`charge_of`) WHERE charge_of is not null;--> statement-breakpoint
CREATE INDEX `statement_lines_charges_left` ON `statement_lines` (`statement_id`,`round`,`row`) WHERE status = 'MATCHED' and kind = 'CHARGE' and fact_key is null and charge_of is null and receipt is not null;
--> statement-breakpoint
CREATE TRIGGER `charges_of_payments` AFTER INSERT ON `payments` WHEN substr(NEW.fingerprint, 1, 8) <> 'imported' AND (NEW.status NOT IN ('FAILED', 'MATCHED') AND NEW.reversed_amount < NEW.amount) BEGIN INSERT INTO `tariff_charges` (organization_id, day, fact, channel, currency, tariff_id, estimate, fee, named_by, amount, booked_at) SELECT organization_id, d, 'PAYMENT ' || NEW.mobile_money_transaction_id, channel, currency, id, e, NULL, NULL, e, NEW.created_at FROM (SELECT *, iif(NEW.fee_amount > 0, NEW.fee_amount, f) AS e FROM (SELECT p.organization_id, p.channel, p.currency, p.id, date((NEW.transacted_at + 10800000) / 1000, 'unixepoch') AS d, (SELECT b.value ->> 'fee' FROM json_each(p.bands) b WHERE coalesce(b.value ->> 'upTo', NEW.amount) >= NEW.amount ORDER BY b.key LIMIT 1) AS f FROM `provider_tariffs` p WHERE p.organization_id = NEW.organization_id AND p.channel = iif(NEW.details ->> '$.type' IN ('PAY_BILL', 'BUY_GOODS'), 'MPESA', iif(NEW.details ->> '$.type' = 'SEND_MONEY', 'MOMO', iif(NEW.details ->> '$.type' = 'BANK_TRANSFER', 'BANK', ''))) AND p.direction = 'RECEIPT' AND p.currency = NEW.currency AND p.effective_from <= date((NEW.transacted_at + 10800000) / 1000, 'unixepoch') ORDER BY p.effective_from DESC LIMIT 1)) n WHERE e > 0 OR EXISTS (SELECT 1 FROM `tariff_charges` c WHERE c.organization_id = n.organization_id AND c.day = d AND c.fact = 'PAYMENT ' || NEW.mobile_money_transaction_id) ON CONFLICT (organization_id, day, fact) DO UPDATE SET tariff_id = excluded.tariff_id, estimate = excluded.estimate, amount = coalesce(fee, excluded.estimate), booked_at = excluded.booked_at WHERE estimate <> excluded.estimate; END;
--> statement-breakpoint
CREATE TRIGGER `charges_of_restored_payments` AFTER UPDATE OF `status`, `reversed_amount` ON `payments` WHEN substr(NEW.fingerprint, 1, 8) <> 'imported' AND (NEW.status NOT IN ('FAILED', 'MATCHED') AND NEW.reversed_amount < NEW.amount) AND NOT (OLD.status NOT IN ('FAILED', 'MATCHED') AND OLD.reversed_amount < OLD.amount) BEGIN INSERT INTO `tariff_charges` (organization_id, day, fact, channel, currency, tariff_id, estimate, fee, named_by, amount, booked_at) SELECT organization_id, d, 'PAYMENT ' || NEW.mobile_money_transaction_id, channel, currency, id, e, NULL, NULL, e, coalesce(NEW.changed_at, NEW.created_at) FROM (SELECT *, iif(NEW.fee_amount > 0, NEW.fee_amount, f) AS e FROM (SELECT p.organization_id, p.channel, p.currency, p.id, date((NEW.transacted_at + 10800000) / 1000, 'unixepoch') AS d, (SELECT b.value ->> 'fee' FROM json_each(p.bands) b WHERE coalesce(b.value ->> 'upTo', NEW.amount) >= NEW.amount ORDER BY b.key LIMIT 1) AS f FROM `provider_tariffs` p WHERE p.organization_id = NEW.organization_id AND p.channel = iif(NEW.details ->> '$.type' IN ('PAY_BILL', 'BUY_GOODS'), 'MPESA', iif(NEW.details ->> '$.type' = 'SEND_MONEY', 'MOMO', iif(NEW.details ->> '$.type' = 'BANK_TRANSFER', 'BANK', ''))) AND p.direction = 'RECEIPT' AND p.currency = NEW.currency AND p.effective_from <= date((NEW.transacted_at + 10800000) / 1000, 'unixepoch') ORDER BY p.effective_from DESC LIMIT 1)) n WHERE e > 0 OR EXISTS (SELECT 1 FROM `tariff_charges` c WHERE c.organization_id = n.organization_id AND c.day = d AND c.fact = 'PAYMENT ' || NEW.mobile_money_transaction_id) ON CONFLICT (organization_id, day, fact) DO UPDATE SET tariff_id = excluded.tariff_id, estimate = excluded.estimate, amount = coalesce(fee, excluded.estimate), booked_at = excluded.booked_at WHERE estimate <> excluded.estimate; END;
--> statement-breakpoint
CREATE TRIGGER `charges_set_off` AFTER INSERT ON `tariff_charges` WHEN EXISTS (SELECT 1 FROM `provider_charges` p WHERE p.organization_id = NEW.organization_id AND p.channel = NEW.channel AND p.currency = NEW.currency AND p.day = NEW.day) BEGIN INSERT INTO `set_offs_due` (organization_id, channel, currency, day) VALUES (NEW.organization_id, NEW.channel, NEW.currency, NEW.day) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER `changed_charges_set_off` AFTER UPDATE OF `estimate` ON `tariff_charges` WHEN NEW.estimate <> OLD.estimate AND EXISTS (SELECT 1 FROM `provider_charges` p WHERE p.organization_id = NEW.organization_id AND p.channel = NEW.channel AND p.currency = NEW.currency AND p.day = NEW.day) BEGIN INSERT INTO `set_offs_due` (organization_id, channel, currency, day) VALUES (NEW.organization_id, NEW.channel, NEW.currency, NEW.day) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (40, 'b93bfcc8c3e84506f3ff96f12008bba4cf166700f55ea5874af70f9eeb642ea6');

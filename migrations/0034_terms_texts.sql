CREATE TABLE `terms_texts` (
	`loan_product_id` text NOT NULL,
	`version` integer NOT NULL,
	`sha256` text NOT NULL,
	`text` text NOT NULL,
	`published_at` integer NOT NULL,
	PRIMARY KEY(`loan_product_id`, `version`)
);
--> statement-breakpoint
ALTER TABLE `loan_products` ADD `terms_text` text;
--> statement-breakpoint
CREATE TRIGGER `terms_texts_stay` BEFORE UPDATE ON `terms_texts` BEGIN SELECT RAISE(ABORT, 'append only'); END;
--> statement-breakpoint
CREATE TRIGGER `terms_texts_kept` BEFORE DELETE ON `terms_texts` BEGIN SELECT RAISE(ABORT, 'append only'); END;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (34, 'b5bfa75a2cc46d92779fff8c27d0e7f13a373caf9734071ef10747827eb1f4da');

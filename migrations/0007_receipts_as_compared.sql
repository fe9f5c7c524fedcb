ALTER TABLE `payments` ADD `transaction_id_sent` text;
--> statement-breakpoint
UPDATE OR IGNORE payments SET transaction_id_sent = mobile_money_transaction_id, mobile_money_transaction_id = upper(replace(mobile_money_transaction_id, ' ', '')) WHERE mobile_money_transaction_id <> upper(replace(mobile_money_transaction_id, ' ', ''));
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (7, '8a1813238d1b714e84084e569aa455529f2232364282f63a58176a79539414ff');

-- The outcome of a transfer in the payee's home never changes: the payer's home has settled the payment or released the money by it.
-- The payer's name and the note are removed when the payer or the payee is erased.

CREATE TRIGGER `incoming_transfers_final` BEFORE UPDATE OF `transfer_id`, `account_id`, `payee_user_id`, `payer_user_id`, `amount`, `currency`, `outcome`, `created_at` ON `incoming_transfers` BEGIN SELECT RAISE(ABORT, 'the outcome of a transfer is final'); END;
CREATE TRIGGER `incoming_transfers_names_go` BEFORE UPDATE OF `payer_name`, `note` ON `incoming_transfers` WHEN NEW.payer_name IS NOT NULL OR NEW.note IS NOT NULL BEGIN SELECT RAISE(ABORT, 'the outcome of a transfer is final'); END;
CREATE TRIGGER `incoming_transfers_kept` BEFORE DELETE ON `incoming_transfers` BEGIN SELECT RAISE(ABORT, 'the outcome of a transfer is final'); END;

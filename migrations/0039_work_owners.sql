CREATE INDEX `work_owners_of` ON `work_owners` (`organization_id`,`owner_id`,`kind`,`assigned_at`,`subject_id`);--> statement-breakpoint
CREATE INDEX `work_owners_purge` ON `work_owners` (`assigned_at`) WHERE kind not in ('ACCOUNT', 'USER');
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (39, '1515ed69f362c08fa8ffa012c0bede68e4012dd1e31cddfbeee9452110292262');

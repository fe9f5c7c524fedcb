CREATE INDEX `work_owners_of` ON `work_owners` (`organization_id`,`owner_id`,`kind`,`assigned_at`,`subject_id`);--> statement-breakpoint
CREATE INDEX `work_owners_purge` ON `work_owners` (`assigned_at`) WHERE kind not in ('ACCOUNT', 'USER');
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (40, '542b5542fefc75774a378f7ff997ad9ac3d23b5b34deac0f03ebad3a0132fa6e');

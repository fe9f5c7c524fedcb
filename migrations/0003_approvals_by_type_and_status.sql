DROP INDEX `approvals_of_by_type`;--> statement-breakpoint
DROP INDEX `approvals_by_type`;--> statement-breakpoint
CREATE INDEX `approvals_of_by_type` ON `approvals` (`organization_id`,`approval_type`,`status`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `approvals_by_type` ON `approvals` (`approval_type`,`status`,`created_at`,`id`);
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (3, '4da8b35fb1b577d8c8b35d5e05096dcf6b536d63ea8976c86fa4baef86b274ba');

// Agents' events, commission models and reports on the wire.

import * as z from "zod";
import { list } from "../../shared/bounded";
import { CurrencyCode } from "../../shared/currency-code";
import { toTimestamp } from "../../shared/time";
import { Instant } from "../../shared/timestamp";
import { type Report, toMinorUnits } from "./report.policy";
import type { CommissionModelRow } from "./table";
import { AGENT_EVENT_TYPES, COMMISSION_TYPES, type Rule } from "./tariff.policy";

const uuid = z.uuid().toLowerCase();

const MAX_EVENTS = 500;

export const AgentEventsInput = z
	.strictObject({
		organization_id: uuid
			.optional()
			.meta({ description: "For operators: the organization whose agents these are. By default the agents' own organization" }),
		events: list(
			z.strictObject({
				event_id: uuid.meta({ description: "The organization's own id of the event, which is recorded once" }),
				agent_user_id: uuid,
				event_type: z.enum(AGENT_EVENT_TYPES),
				reference_id: z
					.string()
					.trim()
					.min(1)
					.max(255)
					.meta({ description: "For a PENALTY_REVERSAL, the event_id or the reference_id of the penalty" }),
				amount: z.int().min(0).meta({ description: "In minor units, positive for penalties too" }),
				currency: CurrencyCode,
				event_occurred_at: Instant,
				description: z.string().max(255).default(""),
			}),
			{ min: 1, max: MAX_EVENTS },
		),
	})
	.meta({ id: "AgentEventsInput" });

const ModelId = z.string().trim().min(1).max(64);
const amount = z.int().min(0);
const basisPoints = z.int().min(0).max(10_000);

const tariff = {
	model_id: ModelId,
	currency: CurrencyCode,
	rules: list(
		z.strictObject({
			event_type: z.enum(COMMISSION_TYPES),
			tiers: list(
				z.strictObject({
					from: amount.meta({ description: "Inclusive" }),
					to: amount.nullable().default(null).meta({ description: "Exclusive; null for no upper bound" }),
					flat: amount.default(0),
					basis_points: basisPoints.default(0).meta({ description: "Of the event's amount" }),
					cap: amount.nullable().default(null).meta({ description: "The most that one event earns" }),
				}),
				{ min: 1, max: 50 },
			),
			supervisor_share_basis_points: basisPoints.default(0).meta({ description: "Of the agent's commission, for their supervisor" }),
		}),
		{ max: COMMISSION_TYPES.length },
	),
};

export const CommissionModelInput = z.strictObject({ ...tariff, effective_from: Instant }).meta({ id: "CommissionModelInput" });
export const CommissionModel = z
	.object({ id: z.uuid(), ...tariff, effective_from: z.iso.datetime(), created_at: z.iso.datetime() })
	.meta({ id: "CommissionModel" });

export const toRules = (rules: z.output<typeof CommissionModelInput>["rules"]): Rule[] =>
	rules.map(({ event_type, tiers, supervisor_share_basis_points }) => ({
		eventType: event_type,
		tiers: tiers.map(({ basis_points, ...tier }) => ({ ...tier, basisPoints: basis_points })),
		supervisorShareBasisPoints: supervisor_share_basis_points,
	}));

export const toCommissionModel = (row: CommissionModelRow): z.input<typeof CommissionModel> => ({
	id: row.id,
	model_id: row.modelId,
	currency: row.currency,
	effective_from: toTimestamp(row.effectiveFrom),
	rules: row.rules.map(({ eventType, tiers, supervisorShareBasisPoints }) => ({
		event_type: eventType,
		tiers: tiers.map(({ basisPoints: basis_points, ...tier }) => ({ ...tier, basis_points })),
		supervisor_share_basis_points: supervisorShareBasisPoints,
	})),
	created_at: toTimestamp(row.createdAt),
});

const amountOf = z.number().meta({ description: "In minor units, exact to the ten-thousandth" });

export const CommissionReport = z
	.object({
		agent_user_id: z.uuid(),
		from: z.iso.datetime(),
		to: z.iso.datetime(),
		total_commission: amountOf.meta({ description: "transaction_commissions - penalties + penalty_reversals: the sum of the lines" }),
		transaction_commissions: amountOf,
		penalties: amountOf,
		penalty_reversals: amountOf,
		currency: z.string().meta({ description: "XXX while neither an event nor a model has a currency" }),
		event_count: z.int().meta({ description: "The number of lines" }),
		model_id: z.string().meta({ description: "The model asked for, otherwise the last one in effect; `default` if there is none" }),
		line_items: z.array(
			z.object({
				event_id: z.uuid(),
				event_type: z.enum(AGENT_EVENT_TYPES),
				reference_id: z.string(),
				amount: amountOf.meta({ description: "Negative for a penalty" }),
				description: z.string(),
				event_occurred_at: z.iso.datetime(),
				is_supervisor_commission: z.boolean(),
			}),
		),
	})
	.meta({ id: "CommissionReport" });

type About = { agentUserId: string; from: number; to: number; currency: string; modelId: string };

export const toReport = ({ agentUserId, from, to, currency, modelId }: About, report: Report): z.input<typeof CommissionReport> => ({
	agent_user_id: agentUserId,
	from: toTimestamp(from),
	to: toTimestamp(to),
	total_commission: toMinorUnits(report.total),
	transaction_commissions: toMinorUnits(report.transactionCommissions),
	penalties: toMinorUnits(report.penalties),
	penalty_reversals: toMinorUnits(report.penaltyReversals),
	currency,
	event_count: report.lines.length,
	model_id: modelId,
	line_items: report.lines.map((line) => ({
		event_id: line.eventId,
		event_type: line.eventType,
		reference_id: line.referenceId,
		amount: toMinorUnits(line.units),
		description: line.description,
		event_occurred_at: toTimestamp(line.occurredAt),
		is_supervisor_commission: line.isSupervisorCommission,
	})),
});

/** An instant in a query. An unescaped plus sign arrives as a space. */
export const QueryInstant = z
	.string()
	.max(64)
	.transform((text) => text.replace(/ (?=\d{2}:\d{2}$)/, "+"))
	.pipe(Instant)
	.meta({ format: "date-time" });

export const QueryModelId = ModelId;

export const SupervisorInput = z
	.strictObject({
		organization_id: uuid.optional().meta({ description: "The organization whose agent this is. By default the agent's own organization" }),
		supervisor_user_id: uuid.nullable().meta({ description: "null: no supervisor from then on" }),
		effective_from: Instant,
	})
	.meta({ id: "SupervisorInput" });

export const Supervisor = z
	.object({ agent_user_id: z.uuid(), supervisor_user_id: z.uuid().nullable(), effective_from: z.iso.datetime() })
	.meta({ id: "Supervisor" });

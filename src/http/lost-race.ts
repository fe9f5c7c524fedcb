// The refusal of a call that others were always quicker than.

import { ApiError } from "../shared/errors";

/** The same call may succeed at once, because only a concurrent change got in its way. */
export class LostRace extends ApiError {
	constructor() {
		super("INVALID_STATE");
	}
}

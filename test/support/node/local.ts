// Loaded before each file of the project `local`; what stands for the platform is made once for all of them.

import { afterAll, beforeEach, expect } from "vitest";
import "./platform";
import { nowDoing, watch } from "./watchdog";

watch();
nowDoing(`loading ${expect.getState().testPath}`, true);

beforeEach(() => {
	const { testPath, currentTestName } = expect.getState();
	nowDoing(`${testPath} > ${currentTestName}`, false);
});

afterAll(() => nowDoing("between two files", false));

/** Set-up of the unit tests: the texts of both languages are loaded before any test. */

import { loadTexts } from "./texts";

await Promise.all([loadTexts("en"), loadTexts("ar")]);

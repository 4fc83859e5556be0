/** The Arabic texts of validation rules, a chunk of its own: no first screen needs them. */

import rules from "../../../locales/ar/rules.ftl?raw";

export default [rules];

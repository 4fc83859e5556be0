/** The English texts of validation rules, a chunk of its own: no first screen needs them. */

import rules from "../../../locales/en/rules.ftl?raw";

export default [rules];

/** The accounts of this computer, and the sign-in with another one. */

import { Accounts } from "../accounts/AccountsDialog";

export function AccountSettings() {
  return <Accounts />;
}

/** Types of the custom properties that components set. */

import "react";

declare module "react" {
  interface CSSProperties {
    "--org"?: string;
    "--invoice-columns"?: string;
  }
}

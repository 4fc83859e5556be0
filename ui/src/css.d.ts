/** Custom properties that style props set. */

import "react";

declare module "react" {
  interface CSSProperties {
    "--org"?: string;
  }
}

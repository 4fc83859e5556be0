; An installer with the hooks and nothing else, for `cargo xtask installer-hooks`. OUTFILE is the program that it becomes.

Unicode true
; Wine without its 32-bit part runs it too.
Target amd64-unicode
!include "hooks.nsh"
; As the template of the bundler defines them.
!define PRODUCTNAME "Invoice Desk"
!define MAINBINARYNAME "invoice-desk"
Name "${PRODUCTNAME}"
OutFile "${OUTFILE}"
RequestExecutionLevel user
InstallDir "C:\Invoice Desk"

Section
  SetShellVarContext current
  SetOutPath "$INSTDIR"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  !insertmacro NSIS_HOOK_POSTINSTALL
SectionEnd

Section Uninstall
  SetShellVarContext current
  !insertmacro NSIS_HOOK_POSTUNINSTALL
SectionEnd

; Hooks of the installer: offers the program in "Open with" for invoice files, and takes no type of file from another program (decision 0141).
; SHCTX is the part of the registry that the installer writes: of the user, or of the machine.

!define INVOICE_FILE "InvoiceDesk.InvoiceFile"

!macro NSIS_HOOK_POSTINSTALL
  WriteRegStr SHCTX "Software\Classes\${INVOICE_FILE}" "" "Electronic invoice"
  WriteRegStr SHCTX "Software\Classes\${INVOICE_FILE}\DefaultIcon" "" "$INSTDIR\${MAINBINARYNAME}.exe,0"
  WriteRegStr SHCTX "Software\Classes\${INVOICE_FILE}\shell\open" "FriendlyAppName" "${PRODUCTNAME}"
  WriteRegStr SHCTX "Software\Classes\${INVOICE_FILE}\shell\open\command" "" '"$INSTDIR\${MAINBINARYNAME}.exe" "%1"'
  ; An empty value of its name is what the shell asks for. The default of the extension stays as it is.
  WriteRegStr SHCTX "Software\Classes\.xml\OpenWithProgids" "${INVOICE_FILE}" ""
  WriteRegStr SHCTX "Software\Classes\.pdf\OpenWithProgids" "${INVOICE_FILE}" ""
  ; SHCNE_ASSOCCHANGED: the shell reads the associations again.
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
!macroend

!macro NSIS_HOOK_POSTUNINSTALL
  DeleteRegValue SHCTX "Software\Classes\.xml\OpenWithProgids" "${INVOICE_FILE}"
  DeleteRegValue SHCTX "Software\Classes\.pdf\OpenWithProgids" "${INVOICE_FILE}"
  DeleteRegKey SHCTX "Software\Classes\${INVOICE_FILE}"
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
!macroend

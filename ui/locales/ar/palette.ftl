### لوحة الأوامر.

key-palette = لوحة الأوامر
palette = البحث عن أمر أو مستند أو منشأة
palette-placeholder = أمر أو مستند أو منشأة أو مبلغ
palette-recent = آخر ما استُخدم
palette-command = الأوامر
palette-screen = الشاشات
palette-organization = المنشآت
palette-document = المستندات
palette-buyer = المشترون
palette-draft = مسودة غير مرسلة
palette-searching = جارٍ البحث عن المستندات…
palette-failed = تعذّر البحث عن المستندات لدى الخدمة. تظهر لك المستندات المحمّلة في هذه النافذة.
palette-none = لا نتيجة.
palette-results = { $count ->
    [zero] لا نتائج
    [one] نتيجة واحدة
    [two] نتيجتان
    [few] { $count } نتائج
    [many] { $count } نتيجة
   *[other] { $count } نتيجة
}
palette-theme-light = السمة الفاتحة
palette-theme-dark = السمة الداكنة
palette-theme-system = سمة النظام
palette-theme-highContrast = سمة عالية التباين
palette-density-comfortable = صفوف مريحة
palette-density-compact = صفوف متراصة
palette-digits-latin = الأرقام الغربية: 0 1 2 3
palette-digits-arabic = الأرقام العربية: ٠ ١ ٢ ٣
palette-calendar-gregorian = التقويم الميلادي
palette-calendar-ummAlQura = تقويم أم القرى
palette-currency-code = العملات بالحروف اللاتينية
palette-currency-sign = العملات بالرموز

key-pin = تثبيت منشأة أو إلغاء تثبيتها
pin = تثبيت
unpin = إلغاء التثبيت
pinned = مثبّتة
switcher-pinned = المثبّتة
switcher-recent = آخر ما فُتح
switcher-others = سائر المنشآت
pinned-announcement = ثُبّتت { $organization }
unpinned-announcement = أُلغي تثبيت { $organization }

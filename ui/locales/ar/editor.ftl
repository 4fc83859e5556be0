### كتابة الفاتورة، والمسودات، والمقارنة بما حفظه غيرك.

editor-new-invoice = فاتورة جديدة
editor-new-creditNote = إشعار دائن جديد
editor-new-debitNote = إشعار مدين جديد
draft-saved = محفوظة على هذا الحاسوب
draft-not-saved = لم تُحفظ
save-to = حفظ لدى { $organization }
save-issue = حفظ وإصدار
save-issue-title = حفظ هذا المستند وإصداره؟
save-issue-freeze-confirm = حفظ وإصدار وتجميد
save-issue-freeze-hint = وإن جُمّد أيضًا فلا يعدّله أحد بعد ذلك أبدًا.
save-issue-busy = جارٍ التنفيذ، وتظهر النتيجة في هذه النافذة.
saved-not-issued = حُفظ مسودةً في الدفاتر ولم يصدر، ولا حاجة إلى إدخاله من جديد.
issued-not-frozen = حُفظ وصدر برقم { $number }، ولم يُجمَّد.
finish-both = إصدار وتجميد
queued-not-issued = محفوظ هنا ولم يصدر، ويُرسل إلى { $organization } مسودةً حالما يعود الاتصال.
saved-announcement = حُفظت لدى { $organization }
discard-draft = حذف المسودة
discard-draft-title = حذف هذه المسودة؟
discard-draft-hint = يُحذف ما كتبته هنا من هذا الحاسوب، ولا تتغير دفاتر الخدمة.
keep-draft = إبقاؤها
section-header = التواريخ والعملة
section-buyer = المشتري
section-lines = البنود
field-issue-date = تاريخ الإصدار
field-due-date = تاريخ الاستحقاق
field-supply-date = تاريخ التوريد
field-currency = العملة
field-note = ملاحظة للمشتري
field-note-ar = ملاحظة للمشتري بالعربية
field-buyer-name = الاسم
field-buyer-name-ar = الاسم بالعربية
field-buyer-name-en = الاسم بالإنجليزية
field-tax-id = الرقم الضريبي
field-street = الشارع
field-building = رقم المبنى
field-district = الحي
field-city = المدينة
field-postal-code = الرمز البريدي
field-country = البلد
field-reason = سبب التصحيح
field-corrected = المستند المصحَّح
field-lines = البنود
field-description = الوصف
field-description-ar = الوصف بالعربية
field-description-en = الوصف بالإنجليزية
field-quantity = الكمية
field-unit = الوحدة
field-unit-price = سعر الوحدة
field-tax-category = الضريبة
field-tax-rate = النسبة٪
field-exemption = رمز الإعفاء
field-of-line = { $field }، البند { $line }
line-number = البند { $line }
column-line = م
line-actions = الإجراءات
two-languages = إظهار اللغتين
add-line = إضافة بند
remove-line = حذف البند { $line }
line-removed = حُذف البند.
undo = تراجع
lines-pasted = { $count ->
    [zero] لم يُلصق شيء
    [one] أُلصق بند واحد
    [two] أُلصق بندان
    [few] أُلصقت { $count } بنود
    [many] أُلصق { $count } بندًا
   *[other] أُلصق { $count } بند
}
paste-title = بنود من الحافظة
paste-columns-hint = تحقّق من معنى كل عمود. لا يُدرج شيء قبل تأكيدك، ويكفي تراجع واحد لإلغائه.
paste-column = حقل العمود { $column }
paste-header = الصف الأول أسماء الأعمدة
paste-more = { $count ->
    [zero] لا صفوف أخرى
    [one] صف آخر
    [two] صفان آخران
    [few] { $count } صفوف أخرى
    [many] { $count } صفًا آخر
   *[other] { $count } صف آخر
}
paste-insert = { $count ->
    [zero] إدراج
    [one] إدراج بند واحد
    [two] إدراج بندين
    [few] إدراج { $count } بنود
    [many] إدراج { $count } بندًا
   *[other] إدراج { $count } بند
}
paste-unknown-unit = وحدة غير معروفة
paste-unknown-units = ليست من الوحدات المعروفة هنا: { $units }. تأخذ بنودها وحدة البند الذي قبلها.
paste-field-description = الوصف
paste-field-quantity = الكمية
paste-field-unit = الوحدة
paste-field-unitPrice = سعر الوحدة
paste-field-taxRate = نسبة الضريبة٪
paste-field-ignored = تجاهل
line-count = { $count ->
    [zero] بلا بنود
    [one] بند واحد
    [two] بندان
    [few] { $count } بنود
    [many] { $count } بندًا
   *[other] { $count } بند
}
no-totals = تظهر المجاميع حين تكتمل كمية كل بند وسعره.
no-totals-item = تظهر المجاميع حين يكون لكل خصم ورسم مبلغ أو نسبة.
no-totals-yet = تظهر المجاميع حين تُقرأ القيم المعلَّمة.
tax-category-S = النسبة الأساسية
tax-category-Z = النسبة الصفرية
tax-category-E = معفاة
tax-category-O = خارج نطاق الضريبة
tax-category-AE = الاحتساب العكسي
tax-category-G = تصدير بلا ضريبة
tax-category-K = توريد داخل الاتحاد الأوروبي
tax-category-L = جزر الكناري (IGIC)
tax-category-M = سبتة ومليلية (IPSI)
tax-category-B = دفع مجزأ
compare-title = عدّل شخص آخر هذا المستند
compare-hint = غيّرتما هذه الحقول معًا. اختر لكل منها، ولن يُحفظ شيء قبل ذلك.
compare-none = لا يتداخل تعديلك مع تعديل غيرك. خذ تعديله واحفظ من جديد.
compare-before = قبلُ:
compare-mine = تعديلي
compare-theirs = تعديل غيري
keep-mine = إبقاء تعديلي
keep-theirs = إبقاء تعديل غيري
compare-use = استعمال المختار
empty-value = فارغ
unknown-outcomes = نتيجة غير معروفة
outcome-arrived = كانت قد وصلت، وها هي.
outcome-not-arrived = لم تكن قد وصلت، ومسودتك مفتوحة من جديد.
queued-announcement = محفوظ هنا، ويُرسل إلى { $organization } حالما يعود الاتصال.
unreadable-title = { $count ->
    [zero] لا مسودات تتعذر قراءتها على هذا الحاسوب
    [one] مسودة واحدة على هذا الحاسوب تتعذر قراءتها
    [two] مسودتان على هذا الحاسوب تتعذر قراءتهما
    [few] { $count } مسودات على هذا الحاسوب تتعذر قراءتها
    [many] { $count } مسودة على هذا الحاسوب تتعذر قراءتها
   *[other] { $count } مسودة على هذا الحاسوب تتعذر قراءتها
}
unreadable-hint = تبقى كما هي، ولا يُحذف منها شيء إلا بيدك.
unreadable-keyringLocked = مخزن كلمات المرور في النظام مقفل، وفيه مفتاح هذه المسودة.
unreadable-otherKey = لم يعد مفتاحها في مخزن كلمات المرور في النظام، وتمكن قراءتها من جديد متى عاد مخزنك السابق.
unreadable-newerVersion = حفظها إصدار أحدث من مكتب الفواتير، وتُفتح بعد التحديث.
unreadable-damaged = ملفها تالف.
unreadable-notReadable = تتعذر قراءة ملفها من القرص.
unreadable-replaced = مسودة أقدم لمستند تابعتَ العمل عليه بعدها.
unreadable-copy = حفظ نسخ منها
unreadable-copy-path = نسخ مسار المجلد
unreadable-copied = { $count ->
    [zero] لم تُحفظ نسخ
    [one] حُفظت نسخة واحدة
    [two] حُفظت نسختان
    [few] حُفظت { $count } نسخ
    [many] حُفظت { $count } نسخة
   *[other] حُفظت { $count } نسخة
}
unreadable-copied-to = { $count ->
    [zero] لا نسخ في { $folder }.
    [one] نسخة واحدة في { $folder }، وقد يظهر فيها ما كتبته غير مشفّر.
    [two] نسختان في { $folder }، وقد يظهر فيهما ما كتبته غير مشفّر.
    [few] { $count } نسخ في { $folder }، وقد يظهر فيها ما كتبته غير مشفّر.
    [many] { $count } نسخة في { $folder }، وقد يظهر فيها ما كتبته غير مشفّر.
   *[other] { $count } نسخة في { $folder }، وقد يظهر فيها ما كتبته غير مشفّر.
}
unreadable-delete = حذف
unreadable-delete-label = حذف المسودة المتعذرة القراءة المحفوظة في { $time }
unreadable-delete-title = حذف هذه المسودة؟
unreadable-delete-hint = ما فيها لا يُستعاد بعد الحذف، وإن أبقيتها فقد تُقرأ لاحقًا.
unreadable-deleted = حُذفت المسودة
draft-left = حُفظ في الدفاتر. تعذّر حتى الآن حذف مسودته من هذا الحاسوب؛ لن تُرسل ثانية، وستُحذف لاحقًا.
drafts-waiting = في انتظار الإرسال
drafts-waiting-hint = محفوظة، وتُرسل إلى { $organization } من تلقاء نفسها حالما يمكن الوصول إليها وتقبلها. إذا فتحت إحداها بقيت هنا حتى تحفظها من جديد.
drafts-refused = لم تُقبل
drafts-refused-hint = أُرسلت إلى { $organization } لاحقًا ولم تُقبل، ولم يُكتب شيء. افتح إحداها واحفظها لتعرف السبب.
drafts-sent = { $count ->
    [zero] لم تُرسل مسودات.
    [one] أُرسلت مسودة واحدة.
    [two] أُرسلت مسودتان.
    [few] أُرسلت { $count } مسودات.
    [many] أُرسلت { $count } مسودة.
   *[other] أُرسلت { $count } مسودة.
}
drafts-not-accepted = { $count ->
    [zero] قُبلت كل المسودات.
    [one] لم تُقبل مسودة واحدة. تجدها في «مسودات غير مرسلة».
    [two] لم تُقبل مسودتان. تجدهما في «مسودات غير مرسلة».
    [few] لم تُقبل { $count } مسودات. تجدها في «مسودات غير مرسلة».
    [many] لم تُقبل { $count } مسودة. تجدها في «مسودات غير مرسلة».
   *[other] لم تُقبل { $count } مسودة. تجدها في «مسودات غير مرسلة».
}
no-drafts = لا مسودات لدى { $organization }.
no-drafts-hint = ما تكتبه يبقى هنا على هذا الحاسوب إلى أن يُحفظ في الدفاتر.
no-buyer-yet = لم يُحدَّد المشتري
saved-at = حُفظت { $time }

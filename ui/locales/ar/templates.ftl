### القوالب والمسودات المتكررة.

templates = القوالب
templates-here = تُحفظ القوالب على هذا الحاسوب فقط، مشفّرة، لك ولهذه المنشأة. لا يراها أحد غيرك.
templates-none = لا توجد قوالب بعد. افتح فاتورة أو مسودة واختر «حفظ كقالب».
templates-unreadable = { $count ->
    [zero] لا توجد قوالب تتعذر قراءتها.
    [one] تتعذر قراءة قالب واحد على هذا الحاسوب. يبقى ملفه في مكانه.
    [two] تتعذر قراءة قالبين على هذا الحاسوب. يبقى ملفاهما في مكانهما.
    [few] تتعذر قراءة { $count } قوالب على هذا الحاسوب. تبقى ملفاتها في مكانها.
    [many] تتعذر قراءة { $count } قالبًا على هذا الحاسوب. تبقى ملفاتها في مكانها.
   *[other] تتعذر قراءة { $count } قالب على هذا الحاسوب. تبقى ملفاتها في مكانها.
}
templates-search = البحث في القوالب
templates-no-match = لا يوجد قالب مطابق.
template-save = حفظ كقالب
template-save-hint = يُحفظ المشتري والبنود والشروط والملاحظات والتفاصيل. ولا يُحفظ الرقم ولا التواريخ، بل تُحسب التواريخ عند الاستعمال.
template-placeholders = يحل شهر المستند وسنته محل { $month } و{ $year } في الملاحظات والأوصاف.
template-saved = حُفظ القالب.
template-name = الاسم (اختياري)
template-unnamed = قالب بلا اسم
template-use = فاتورة جديدة
template-use-of = فاتورة جديدة من { $name }
template-rename = تغيير الاسم
template-rename-of = تغيير الاسم: { $name }
template-remove = حذف
template-remove-of = حذف { $name }
template-removed = حُذف { $name }. يمكنك استعادته خلال يوم.
template-restore = تراجع
template-schedule = تكرار
template-schedule-of = تكرار { $name }
schedule-frequency = معدل التكرار
frequency-weekly = كل أسبوع
frequency-monthly = كل شهر
frequency-quarterly = كل ثلاثة أشهر
frequency-yearly = كل سنة
schedule-day = يوم الشهر
schedule-last-day = اليوم الأخير
schedule-from = من
schedule-until = حتى (اختياري)
schedule-period = فترة الفوترة
period-current = فترة التاريخ نفسه
period-previous = الفترة السابقة
period-none = بلا فترة
schedule-dates = المسودات التالية: { $dates }
schedule-no-dates = لا يوجد تاريخ من اليوم فصاعدًا، فلن تُنشأ مسودة.
schedule-hint = تُنشأ المسودة على هذا الحاسوب عند تشغيل التطبيق في التاريخ أو بعده. لا تُرسل ولا تصدر من تلقاء نفسها أبدًا.
schedule-save = حفظ الجدول
schedule-remove = إيقاف التكرار
schedule-next = التالي في { $date }
schedule-ended = انتهى
recurring-ready = { $count ->
    [zero] لا توجد مسودات متكررة جاهزة
    [one] مسودة متكررة واحدة جاهزة
    [two] مسودتان متكررتان جاهزتان
    [few] { $count } مسودات متكررة جاهزة
    [many] { $count } مسودة متكررة جاهزة
   *[other] { $count } مسودة متكررة جاهزة
}
recurring-hint = أُنشئت من قوالب على هذا الحاسوب. راجع كلًا منها قبل إرسالها.
recurring-left-out = { $count ->
    [zero] لم يُترك أي تاريخ.
    [one] تُرك تاريخ واحد أقدم: بعد الانقطاع تُنشأ مسودات لآخر 12 تاريخًا.
    [two] تُرك تاريخان أقدمان: بعد الانقطاع تُنشأ مسودات لآخر 12 تاريخًا.
    [few] تُركت { $count } تواريخ أقدم: بعد الانقطاع تُنشأ مسودات لآخر 12 تاريخًا.
    [many] تُرك { $count } تاريخًا أقدم: بعد الانقطاع تُنشأ مسودات لآخر 12 تاريخًا.
   *[other] تُرك { $count } تاريخ أقدم: بعد الانقطاع تُنشأ مسودات لآخر 12 تاريخًا.
}

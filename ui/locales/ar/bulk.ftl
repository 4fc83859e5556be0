### إصدار مستندات كثيرة وتجميدها وحفظها وتصديرها.

bulk-issue = إصدار…
bulk-freeze = تجميد…
bulk-save-pdf = حفظ بصيغة PDF…
bulk-save-ubl = حفظ بصيغة UBL…
bulk-run-issue = { $count ->
    [zero] إصدار بلا مستندات، بدأ في { $time }
    [one] إصدار مستند واحد، بدأ في { $time }
    [two] إصدار مستندين، بدأ في { $time }
    [few] إصدار { $count } مستندات، بدأ في { $time }
    [many] إصدار { $count } مستندًا، بدأ في { $time }
   *[other] إصدار { $count } مستند، بدأ في { $time }
}
bulk-run-freeze = { $count ->
    [zero] تجميد بلا مستندات، بدأ في { $time }
    [one] تجميد مستند واحد، بدأ في { $time }
    [two] تجميد مستندين، بدأ في { $time }
    [few] تجميد { $count } مستندات، بدأ في { $time }
    [many] تجميد { $count } مستندًا، بدأ في { $time }
   *[other] تجميد { $count } مستند، بدأ في { $time }
}
bulk-run-save = { $count ->
    [zero] حفظ بلا مستندات بصيغة { $format }، بدأ في { $time }
    [one] حفظ مستند واحد بصيغة { $format }، بدأ في { $time }
    [two] حفظ مستندين بصيغة { $format }، بدأ في { $time }
    [few] حفظ { $count } مستندات بصيغة { $format }، بدأ في { $time }
    [many] حفظ { $count } مستندًا بصيغة { $format }، بدأ في { $time }
   *[other] حفظ { $count } مستند بصيغة { $format }، بدأ في { $time }
}
run-button = { $button }: { $run }
bulk-issue-title = إصدار المستندات
bulk-freeze-title = تجميد المستندات
bulk-save-pdf-title = حفظ المستندات بصيغة PDF
bulk-save-ubl-title = حفظ المستندات بصيغة UBL
bulk-documents = عدد المستندات
bulk-gross = الإجمالي شامل الضريبة بعملة { $currency }
bulk-skipped = مستبعدة لأنها في حالة أخرى
bulk-issue-hint = يأخذ كل مستند رقمه الآن، ولا يُعدَّل بعد ذلك، ولا يُصحَّح إلا بإشعار دائن. وما يُرفض منها يبقى كما هو ولا يؤخّر غيره.
bulk-freeze-hint = المستند المجمّد لا يتغير أبدًا، ولا يُصحَّح إلا بإشعار دائن يشير إليه.
bulk-save-pdf-hint = يُحفظ كل مستند في ملف اسمه رقم المستند داخل المجلد الذي تختاره، ولا يُستبدل أي ملف موجود فيه. وكل صفحة من صفحات المسودة تبيّن أنها مسودة.
bulk-save-ubl-hint = يُحفظ كل مستند في ملف XML اسمه رقم المستند داخل المجلد الذي تختاره، ولا يُستبدل أي ملف موجود فيه.
bulk-check-running = فُحص من المستندات { $done } من { $total }. لم يصدر شيء بعد.
bulk-check-right = فُحص من المستندات { $done } من { $total }، ولن يُرفض منها شيء.
bulk-check-refused = فُحص من المستندات { $done } من { $total }، ويُرفض منها الآن { $refused } ويبقى كما هو.
bulk-check-rest = تُفحص المستندات الأخرى عند إصدارها.
bulk-check-list = ما سيُرفض
bulk-none-to-issue = ليس في التحديد أي مسودة.
bulk-none-to-freeze = ليس في التحديد أي مستند صادر، ولا تُجمَّد إلا المستندات الصادرة.
bulk-none-to-save-pdf = ليس في التحديد أي مستند.
bulk-none-to-save-ubl = ليس في التحديد أي مستند له رقم. تأخذ المسودة رقمها عند إصدارها، ومعه ملف UBL.
bulk-issue-confirm = { $count ->
    [zero] لا شيء للإصدار
    [one] إصدار مستند واحد
    [two] إصدار مستندين
    [few] إصدار { $count } مستندات
    [many] إصدار { $count } مستندًا
   *[other] إصدار { $count } مستند
}
bulk-freeze-confirm = { $count ->
    [zero] لا شيء للتجميد
    [one] تجميد مستند واحد نهائيًا
    [two] تجميد مستندين نهائيًا
    [few] تجميد { $count } مستندات نهائيًا
    [many] تجميد { $count } مستندًا نهائيًا
   *[other] تجميد { $count } مستند نهائيًا
}
bulk-save-confirm = { $count ->
    [zero] لا شيء للحفظ
    [one] اختيار مجلد لحفظ ملف واحد…
    [two] اختيار مجلد لحفظ ملفين…
    [few] اختيار مجلد لحفظ { $count } ملفات…
    [many] اختيار مجلد لحفظ { $count } ملفًا…
   *[other] اختيار مجلد لحفظ { $count } ملف…
}
bulk-collecting = تجري قراءة المستندات: { $done } من { $total }. لم يتغير شيء بعد.
bulk-issuing = جارٍ الإصدار: { $done } من { $total }
bulk-freezing = جارٍ التجميد: { $done } من { $total }
bulk-saving = جارٍ الحفظ في { $folder }: { $done } من { $total }
bulk-issue-stopped = أُوقف الإصدار بعد { $done } من { $total }، وبقيت المستندات الأخرى كما كانت.
bulk-freeze-stopped = أُوقف التجميد بعد { $done } من { $total }، وبقيت المستندات الأخرى كما كانت.
bulk-save-stopped = أُوقف الحفظ بعد { $done } من { $total }. الملفات التي حُفظت كاملة في { $folder }.
bulk-issue-interrupted = انقطع الإصدار بعد { $done } من { $total }. ما أُنجز محفوظ، ولن يصدر مستند مرتين.
bulk-freeze-interrupted = انقطع التجميد بعد { $done } من { $total }. ما أُنجز محفوظ.
bulk-save-interrupted = انقطع الحفظ بعد { $done } من { $total }. الملفات التي حُفظت كاملة في { $folder }، ولن يُحفظ مستند مرتين.
bulk-changed = لم يتغير شيء: عدد المستندات المطابقة للتصفية الآن { $found } أو تغيّرت مجاميعها، وقد أكّدت { $confirmed }. راجع القائمة ثم ابدأ من جديد.
bulk-issued = { $count ->
    [zero] لم يصدر أي مستند.
    [one] صدر مستند واحد.
    [two] صدر مستندان.
    [few] صدرت { $count } مستندات.
    [many] صدر { $count } مستندًا.
   *[other] صدر { $count } مستند.
}
bulk-frozen = { $count ->
    [zero] لم يُجمَّد أي مستند.
    [one] جُمّد مستند واحد.
    [two] جُمّد مستندان.
    [few] جُمّدت { $count } مستندات.
    [many] جُمّد { $count } مستندًا.
   *[other] جُمّد { $count } مستند.
}
bulk-saved = { $count ->
    [zero] لم يُحفظ أي ملف في { $folder }.
    [one] حُفظ ملف واحد في { $folder }.
    [two] حُفظ ملفان في { $folder }.
    [few] حُفظت { $count } ملفات في { $folder }.
    [many] حُفظ { $count } ملفًا في { $folder }.
   *[other] حُفظ { $count } ملف في { $folder }.
}
bulk-issued-partly = صدر من المستندات { $done } وتعذّر إصدار { $failed }، ولكلٍّ سببه.
bulk-frozen-partly = جُمّد من المستندات { $done } وتعذّر تجميد { $failed }، ولكلٍّ سببه.
bulk-saved-partly = حُفظ من المستندات { $done } في { $folder } وتعذّر حفظ { $failed }، ولكلٍّ سببه.
bulk-save-problem-noSpace = القرص ممتلئ. الملفات التي حُفظت كاملة وباقية في المجلد. أفرغ مساحة ثم تابع.
bulk-save-problem-notPermitted = لا يُسمح لك بالكتابة في المجلد. الملفات التي حُفظت كاملة وباقية فيه. تابع عندما يُسمح لك، أو ابدأ من جديد بمجلد آخر.
bulk-save-problem-readOnly = المجلد للقراءة فقط. الملفات التي حُفظت كاملة وباقية فيه. تابع عندما تمكن الكتابة فيه، أو ابدأ من جديد بمجلد آخر.
bulk-save-problem-missing = لم يعد المجلد في مكانه، فلم يُحفظ المزيد. الملفات التي حُفظت باقية فيه. أعد المجلد أو وصّل قرصه ثم تابع، أو ابدأ من جديد بمجلد آخر.
bulk-save-problem-other = لم يقبل القرص أحد الملفات. الملفات التي حُفظت كاملة وباقية في المجلد. تابع، أو ابدأ من جديد بمجلد آخر.
error-offline-files = لا يوجد اتصال، فلا يمكن جلب مستندات أخرى. الملفات التي حُفظت كاملة وباقية في المجلد، ويُستأنف الحفظ من حيث توقف عند عودة الاتصال.
bulk-continue = متابعة
bulk-show = عرض
bulk-stop = إيقاف
bulk-leave = عدم المتابعة
bulk-done = إغلاق وإزالة من القائمة
bulk-background = المتابعة في الخلفية
bulk-count-done = تم
bulk-count-failed = تعذّر
bulk-count-left = متبقٍّ
bulk-not-durable = مخزن كلمات المرور في النظام غير متاح، لذا لا يمكن المتابعة بعد إغلاق التطبيق.
bulk-shown = عرض
bulk-shown-all = كل المستندات
bulk-shown-failed = ما تعذّر فقط
bulk-results = المستندات
bulk-no-results = لا شيء
bulk-outcome-left = متبقٍّ
bulk-outcome-saved = حُفظ باسم { $file }
bulk-outcome-failed = تعذّر
bulk-outcome-fileNotSent = لم يُرسل أحد الملفات، فلم يصدر المستند
bulk-outcome-rejected = رفضته الجهة الضريبية
bulk-open = فتح
bulk-open-of = فتح { $document }
bulk-previous = الصفحة السابقة
bulk-next = الصفحة التالية
bulk-page = من { $from } إلى { $to } من أصل { $total }
export = تصدير
export-all = تصدير الكل
export-list = القائمة في ملف واحد
export-files = ملف لكل مستند
export-csv = CSV لأي برنامج
export-xlsx = مصنف Excel
export-rows = { $file }: { $rows } من { $total } من الصفوف
export-prepared = { $file }: الخدمة تُعدّ المصنف.
export-size = { $file }: { $size } ك.ب
export-finished = { $count ->
    [zero] اكتمل { $file } دون أي مستند.
    [one] اكتمل { $file } وفيه مستند واحد.
    [two] اكتمل { $file } وفيه مستندان.
    [few] اكتمل { $file } وفيه { $count } مستندات.
    [many] اكتمل { $file } وفيه { $count } مستندًا.
   *[other] اكتمل { $file } وفيه { $count } مستند.
}
export-finished-uncounted = اكتمل { $file }.
notice-exported-uncounted = التصدير جاهز.
export-cancelled = أُلغي { $file }، ولم يبقَ ملف ناقص.
export-failed = تعذّرت كتابة { $file }، ولم يبقَ ملف ناقص.
export-problem-noSpace = القرص ممتلئ. أفرغ مساحة أو اختر مكانًا آخر.
export-problem-notPermitted = لا يُسمح لك بالكتابة هناك. اختر مكانًا آخر.
export-problem-readOnly = المكان الذي اخترته للقراءة فقط. اختر مكانًا آخر.
export-problem-missing = لم يعد المجلد موجودًا. اختر مكانًا آخر.
export-problem-other = لم يقبل القرص الملف. اختر مكانًا آخر.
export-offline = لا يوجد اتصال، فتعذّر جلب المستندات. ابدأ من جديد عند عودة الاتصال.
export-interrupted = لم تكتمل كتابة { $file } قبل إغلاق التطبيق، ولم يبقَ ملف ناقص.
export-again = البدء من جديد
key-export = تصدير
error-filter-unreadable = في التصفية قيمة لا تُقرأ. صحّحها فوق القائمة، أو أزلها.

### اليوم، وكل العملاء.

today = اليوم
today-work = ما يحتاج إلى إجراء
today-unknown = أُرسلت ولم يصل الرد
today-refused = رفضتها الخدمة وتحتاج إلى تصحيح
today-unsent = مسودات غير مرسلة على هذا الحاسوب
today-recurring = مسودات متكررة جاهزة
today-rejected = رفضتها الجهة الضريبية
today-overdue = متأخرة
today-soon = تُستحق خلال سبعة أيام
today-drafts = مسودات لم تصدر بعد
today-not-known = غير معروف
today-month = هذا الشهر حتى الآن
today-month-none = لم يصدر شيء هذا الشهر.
today-documents = المستندات
today-insights = عرض التقارير
clients = كل العملاء
clients-count = { $count ->
    [zero] لا منشآت
    [one] منشأة واحدة
    [two] منشأتان
    [few] { $count } منشآت
    [many] { $count } منشأة
   *[other] { $count } منشأة
}
clients-reading = قُرئت { $done } من { $all }
clients-reading-one = جارٍ القراءة…
clients-search = الاسم أو النطاق أو المعرّف
clients-name = العميل
clients-drafts = المسودات
clients-rejected = المرفوضة
clients-overdue = المتأخرة
clients-overdue-amount = المبلغ المتأخر
clients-open-amount = مجموع غير المسدد
clients-as-of = آخر قراءة
clients-save = حفظ بصيغة CSV

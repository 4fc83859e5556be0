### سجل المستند، والفروق بين نسخه، والتعارضات.

section-history = السجل
show-history = عرض السجل
no-history = لا سجل لهذا المستند لدى الخدمة.
list-more = عرض المزيد
list-shown = المعروض الآن: { $count }
list-end = كل العناصر معروضة، وعددها { $count }.
history-first = بهذا بدأ المستند.
history-earliest = لم يعد ما كان قبله محفوظًا.
history-unread = تعذّرت قراءة ما كان قبله.
history-no-change = لم يتغير أي حقل في المستند.
history-created = أُنشئ
history-updated = عُدّل
history-issued = صدر
history-rejected = رفضته الجهة الضريبية
history-frozen = جُمّد
history-deleted = حُذف
history-cleared = اعتمدته الجهة الضريبية
history-reported = أُبلغت به الجهة الضريبية
history-accepted = قبلته الجهة الضريبية
history-unanswered = لم ترد الجهة الضريبية
history-attachment_added = أُضيف مرفق
history-attachment_removed = أُزيل مرفق
history-other = تغيير آخر: { $action }
# Who has answered for the tax authority: it takes the place of a name.
history-by-authority = الجهة الضريبية
line-was-added = أُضيف
line-was-removed = حُذف
no-line = غير موجود
part-of-buyer = المشتري: { $field }
part-correction = ما يصحّحه
part-period = الفترة
part-purchase-order = أمر الشراء
part-buyer-reference = مرجع المشتري
part-contract = العقد
part-project = المشروع
part-sales-order = أمر البيع
part-despatch-advice = إشعار التسليم
part-receiving-advice = إشعار الاستلام
part-accounting = حساب المشتري
part-payment = بيانات الدفع
part-payment-terms = شروط الدفع
part-tax-currency = عملة الضريبة
part-exchange-rate = سعر الصرف
part-prepaid = المدفوع مقدمًا
part-rounding = التقريب
part-allowances-charges = الخصومات والرسوم
part-allowance = خصم
part-charge = رسم
part-item-code = رمز الصنف
part-buyer-item-code = رمز الصنف لدى المشتري
part-order-line = بند أمر الشراء
part-line-note = ملاحظة
part-price-base = الكمية التي يخصها السعر
part-added-lines = البنود المضافة
part-order = ترتيب البنود
period-range = من { $from } إلى { $to }
compare-who = غُيّر { $age }، في { $time }، بواسطة { $who }.
compare-when = غُيّر { $age }، في { $time }.
compare-both = كلاهما
compare-open = { $count ->
    [zero] اخترت كل شيء، ولك أن تعدّل الناتج قبل حفظه.
    [one] بقي اختيار واحد. المفتاحان 1 و2 للاختيار.
    [two] بقي اختياران. المفتاحان 1 و2 للاختيار.
    [few] بقيت { $count } اختيارات. المفتاحان 1 و2 للاختيار.
    [many] بقي { $count } اختيارًا. المفتاحان 1 و2 للاختيار.
   *[other] بقي { $count } اختيار. المفتاحان 1 و2 للاختيار.
}
compare-merged-theirs = { $count ->
    [zero] لا تغييرات لغيري
    [one] تغيير واحد لغيري يؤخذ بلا سؤال
    [two] تغييران لغيري يؤخذان بلا سؤال
    [few] { $count } تغييرات لغيري تؤخذ بلا سؤال
    [many] { $count } تغييرًا لغيري يؤخذ بلا سؤال
   *[other] { $count } تغيير لغيري يؤخذ بلا سؤال
}
compare-merged-mine = { $count ->
    [zero] لا تغييرات لي
    [one] تغيير واحد لي يبقى بلا سؤال
    [two] تغييران لي يبقيان بلا سؤال
    [few] { $count } تغييرات لي تبقى بلا سؤال
    [many] { $count } تغييرًا لي يبقى بلا سؤال
   *[other] { $count } تغيير لي يبقى بلا سؤال
}
compare-later = العودة إلى مسودتي

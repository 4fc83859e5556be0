### القائمة ومرشحاتها ومجاميعها، والتفاصيل، والإصدار والتجميد.

filter = تصفية
add-filter = إضافة مرشّح
clear-filters = مسح المرشّحات
remove-filter = إزالة المرشّح { $filter }
refresh = تحديث
facet-status = الحالة
facet-payment = السداد
facet-kind = النوع
facet-issued = الإصدار
facet-due = الاستحقاق
facet-gross = المبلغ
facet-currency = العملة
facet-is = { $name }: { $value }
facet-between = { $name }: من { $from } إلى { $to }
facet-from = { $name }: من { $from }
facet-to = { $name }: حتى { $to }
preset-month = هذا الشهر
preset-last-month = الشهر الماضي
preset-year = هذه السنة
status-draft = مسودة
status-issued = صادرة
status-frozen = مجمّدة
status-rejected = مرفوضة
status-since = { $status } في { $time }
kind-invoice = فاتورة
kind-creditNote = إشعار دائن
kind-debitNote = إشعار مدين
column-selected = التحديد
column-number = الرقم
column-buyer = المشتري
column-issued = تاريخ الإصدار
column-due = الاستحقاق
column-gross = الإجمالي شامل الضريبة
column-status = الحالة
clear-selection = إلغاء التحديد
selected = { $count ->
    [zero] لا شيء محدد
    [one] واحدة محددة
    [two] اثنتان محددتان
    [few] { $count } محددة
    [many] { $count } محددة
   *[other] { $count } محددة
}
filter-sum = { $count ->
    [zero] الكل:
    [one] الكل، واحدة:
    [two] الكل، اثنتان:
    [few] الكل { $count }:
    [many] الكل { $count }:
   *[other] الكل { $count }:
}
net = الصافي
tax = الضريبة
gross = الإجمالي شامل الضريبة
payable = المبلغ المستحق
tax-of = ضريبة القيمة المضافة { $rate }
tax-of-category = ضريبة القيمة المضافة: { $rate }
tax-category-rate = { $category } { $rate }
empty-filtered = لا توجد فاتورة توافق هذه المرشّحات.
empty-list = لا فواتير لدى { $organization } بعد.
detail = الفاتورة
offline-as-of = كما كانت في { $time }، { $age }
both-theirs = ما غيّره { $who } في { $time }
both-mine = ما غيّرته أنت
detail-empty = اختر فاتورة لتراها هنا.
issue = إصدار
freeze = تجميد
edit = تعديل
credit-note = إشعار دائن
duplicate = تكرار
number-pending = يُخصَّص عند الإصدار
issue-title = إصدار هذا المستند؟
issue-hint = يأخذ رقمه الآن، ولا يُعدَّل بعدها شيء منه، ولا يُصحَّح إلا بإشعار دائن.
issue-confirm = إصدار
issued-announcement = صدر بالرقم { $number }
freeze-title = تجميد هذا المستند؟
delete-document = حذف
delete-document-title = حذف هذه المسودة المحفوظة؟
delete-document-hint = تُحذف من دفاتر { $organization } لدى الجميع، ولا يمكن التراجع عن ذلك. يبقى سجلّها فقط.
deleted-announcement = حُذفت المسودة
freeze-hint = المستند المجمّد لا يتغير أبدًا، ولا يُصحَّح إلا بإشعار دائن يشير إليه.
freeze-confirm = تجميد نهائي
frozen-announcement = جُمّد { $number }

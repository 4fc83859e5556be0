### التحديد والبحث وطرق العرض المحفوظة وأعمدة قائمة الفواتير.

select-all = تحديد كل نتائج التصفية
key-select-all = تحديد كل نتائج التصفية
range-too-long = لا يتجاوز المدى { $count } من الصفوف. حدِّد كل نتائج التصفية بدلًا منه.
range-not-loaded = تعذّرت قراءة الصفوف الواقعة بينهما، فلم تُحدَّد.
search-as-amount = المستندات التي إجماليها { $amount }.
search-as-number = المستندات التي في رقمها { $text }.
search-as-buyer = المستندات التي في اسم مشتريها أو رقمه الضريبي { $text }.
search-buyers-instead = { $count ->
    [zero] عرض ما في بيانات مشتريه { $text }
    [one] عرض المستند الذي في بيانات مشتريه { $text }
    [two] عرض المستندين اللذين في بيانات مشتريهما { $text }
    [few] عرض { $count } مستندات في بيانات مشتريها { $text }
    [many] عرض { $count } مستندًا في بيانات مشتريها { $text }
   *[other] عرض { $count } مستند في بيانات مشتريها { $text }
}
search-numbers-instead = { $count ->
    [zero] عرض ما في رقمه { $text }
    [one] عرض المستند الذي في رقمه { $text }
    [two] عرض المستندين اللذين في رقميهما { $text }
    [few] عرض { $count } مستندات في أرقامها { $text }
    [many] عرض { $count } مستندًا في رقمه { $text }
   *[other] عرض { $count } مستند في رقمه { $text }
}
search-amount-instead = { $count ->
    [zero] عرض ما إجماليه { $amount }
    [one] عرض المستند الذي إجماليه { $amount }
    [two] عرض المستندين اللذين إجماليهما { $amount }
    [few] عرض { $count } مستندات إجماليها { $amount }
    [many] عرض { $count } مستندًا إجماليه { $amount }
   *[other] عرض { $count } مستند إجماليه { $amount }
}
views = طرق العرض
view-all = الكل
view-drafts = المسودات
view-month = هذا الشهر
view-overdue = المتأخرة
view-rejected = المرفوضة
view-edited = معدَّلة
view-save = حفظ طريقة العرض هذه
view-name = اسم طريقة العرض
view-hint = تُحفظ التصفية والبحث والترتيب والأعمدة على هذا الحاسوب، ولهذه المنشأة وحدها.
view-actions = إجراءات طريقة العرض { $view }
view-update = حفظ التعديلات
view-rename = تغيير الاسم
view-delete = حذف طريقة العرض
key-views = فتح طريقة عرض
key-columns = الأعمدة
columns = الأعمدة
columns-reset = الأعمدة المعتادة
columns-hint = في القائمة اسحب حافة رأس العمود، أو اضغط Alt مع أحد السهمين عليه.
column-width = عرض العمود
column-earlier = تقديم { $column }
column-later = تأخير { $column }

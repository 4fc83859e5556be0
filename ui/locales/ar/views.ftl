### Selection, search, saved views and columns of the invoice list.

select-all = تحديد كل نتائج التصفية
key-select-all = تحديد كل نتائج التصفية
range-too-long = لا يتجاوز المدى { $count } من الصفوف. حدِّد كل نتائج التصفية بدلًا منه.
range-not-loaded = تعذّرت قراءة الصفوف الواقعة بينهما، فلم تُحدَّد.
search-as-amount = المستندات التي إجماليها { $amount }.
search-as-number = المستندات التي في رقمها { $text }.
search-numbers-instead = { $count ->
    [zero] عرض ما في رقمه { $text }
    [one] عرض المستند الذي في رقمه { $text }
    [two] عرض المستندين اللذين في رقميهما { $text }
    [few] عرض { $count } مستندات في رقمها { $text }
    [many] عرض { $count } مستندًا في رقمه { $text }
   *[other] عرض { $count } مستند في رقمه { $text }
}
search-amount-instead = { $count ->
    [zero] عرض ما إجماليه { $amount }
    [one] عرض المستند الذي إجماليه { $amount }
    [two] عرض المستندين اللذين إجماليهما { $amount }
    [few] عرض { $count } مستندات إجماليها { $amount }
    [many] عرض { $count } مستندًا إجماليها { $amount }
   *[other] عرض { $count } مستند إجماليها { $amount }
}

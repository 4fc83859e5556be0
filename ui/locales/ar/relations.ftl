### المستندات الأصلية والإشعارات الدائنة والمدينة.

section-relations = المستندات المرتبطة
corrects = يصحّح
corrected-by = الإشعارات الدائنة
debited-by = الإشعارات المدينة
remaining-to-credit = المتبقي للإشعار الدائن
not-credited = لم يصدر عليها إشعار دائن.
no-relations = لا يصحّح مستندًا آخر.
not-in-books = ليس في هذه الدفاتر
open-document = فتحه
debit-note = إشعار مدين
credit-title = إشعار دائن للمستند { $number }
credit-hint = حدّد البنود التي يشملها الإشعار الدائن، وخفّض كمياتها إن لم تكن كاملة، ثم يُفتح الإشعار في النموذج.
credit-all = كل البنود
credit-line-left = المتبقي: { $quantity } ({ $unit }) بسعر { $price }
credit-line-credited = أُصدر إشعار دائن بكامله
credit-quantity-of = الكمية في الإشعار الدائن، { $line }
credit-above-left = { $left } على الأكثر
credit-sum = هذا الإشعار شامل الضريبة
credit-too-much = المجموع { $sum }، والمتبقي { $remaining } فقط. لا يصدر الإشعار ما لم يُخفَّض.
credit-nothing-left = أُصدر إشعار دائن بكامل هذا المستند، ولم يبق منه شيء.
credit-fixed-amounts = تؤخذ الخصومات والرسوم كاملة. تحقّق منها في النموذج.
credit-other = بنود أخرى
credit-whole = إشعار دائن بالمستند كله
issue-hint-credit-note = يأخذ رقمه الآن، ولا يُعدَّل بعدها شيء منه.
freeze-hint-credit-note = المستند المجمّد لا يتغير أبدًا.
credit-continue = { $count ->
    [zero] متابعة
    [one] متابعة ببند واحد
    [two] متابعة ببندين
    [few] متابعة بـ{ $count } بنود
    [many] متابعة بـ{ $count } بندًا
   *[other] متابعة بـ{ $count } بند
}

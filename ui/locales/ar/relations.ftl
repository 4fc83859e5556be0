### المستندات الأصلية والإشعارات الدائنة والمدينة.

section-relations = المستندات المرتبطة
corrects = يصحّح
corrected-by = الإشعارات الدائنة
remaining-to-credit = المتبقي للإشعار الدائن
not-credited = لم يصدر عليها إشعار دائن.
no-relations = لا يصحّح مستندًا آخر.
not-in-books = ليس في هذه الدفاتر
debit-note = إشعار مدين

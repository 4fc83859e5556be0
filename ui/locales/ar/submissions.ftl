### الجهات الضريبية: ما تقوله عن المستند.

submission = الجهة الضريبية
submission-cleared = أجازت الجهة الضريبية { $number }.
submission-reported = أُبلغت الجهة الضريبية بـ { $number }.
submission-accepted = قبلت الجهة الضريبية { $number }.
submission-remarks = قبلت الجهة الضريبية { $number } مع ملاحظات:
submission-rejected-text = رفضت الجهة الضريبية { $number }. يبقى رقمه كما هو: صحّحه ثم أصدره من جديد.
submission-pending-text = صدر { $number } وينتظر الجهة الضريبية. لم يضِع شيء: يُعاد إرساله تلقائيًا حتى يصل الرد، ويمكن تجميده بعد ذلك.
submission-unanswered-text = صدر { $number }. ربما استلمته الجهة الضريبية لكنها لم ترد. لم يضِع شيء: يُعاد إرسال المستند نفسه تلقائيًا حتى يصل الرد، ويمكن تجميده بعد ذلك.
submission-send-now = أرسل الآن
submission-next = المحاولة التالية في { $time }.
rejection-title = رفضت الجهة الضريبية هذا المستند. ما تقوله:
facet-submission = الجهة الضريبية
view-authority-waiting = لدى الجهة الضريبية
view-authority-remarks = ملاحظات
submission-only-remarks = ذات الملاحظات فقط
submission-state-pending = بالانتظار
submission-state-unanswered = بلا رد
submission-state-cleared = مُجازة
submission-state-reported = مُبلَّغ بها
submission-state-accepted = مقبولة
submission-state-rejected = مرفوضة
submission-state-remarks = مع ملاحظات
submission-state-with-remarks = { $state }، مع ملاحظات

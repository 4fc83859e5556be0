### الجهات الضريبية: ما تقوله عن المستند.

submission = الجهة الضريبية
submission-cleared = اعتمدت الجهة الضريبية { $number }.
submission-reported = أُبلغت الجهة الضريبية بالمستند { $number }.
submission-accepted = قبلت الجهة الضريبية { $number }.
submission-remarks = قبلت الجهة الضريبية { $number } مع ملاحظات:
submission-rejected-text = رفضت الجهة الضريبية { $number }. يبقى رقمه كما هو: صحّحه ثم أصدره من جديد.
submission-pending-text = صدر { $number } وهو في انتظار رد الجهة الضريبية. لم يضع شيء: يُعاد إرساله تلقائيًا حتى يصل الرد، ويمكن تجميده بعد ذلك.
submission-unanswered-text = صدر { $number }. ربما استلمته الجهة الضريبية لكنها لم ترد. لم يضع شيء: يُعاد إرسال المستند نفسه تلقائيًا حتى يصل الرد، ويمكن تجميده بعد ذلك.
submission-send-now = إرسال الآن
submission-next = المحاولة التالية في { $time }.
rejection-title = رفضت الجهة الضريبية هذا المستند. نص ردها:
facet-submission = الجهة الضريبية
view-authority-waiting = لدى الجهة الضريبية
view-authority-remarks = ملاحظات
submission-only-remarks = ذات الملاحظات فقط
submission-state-pending = قيد الانتظار
submission-state-unanswered = بلا رد
submission-state-cleared = معتمدة
submission-state-reported = مُبلَّغ بها
submission-state-accepted = مقبولة
submission-state-rejected = مرفوضة
submission-state-remarks = مع ملاحظات
submission-state-with-remarks = { $state }، مع ملاحظات

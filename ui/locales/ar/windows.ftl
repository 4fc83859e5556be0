### نوافذ المنشآت وروابط المستندات.

window-title = { $organization } – { $environment } – مكتب الفواتير
key-new-window = نافذة جديدة
open-in-new-window = فتح { $organization } في نافذة جديدة
organization-lost = لم يعد لك دور في { $lost }، فصارت هذه النافذة تعرض { $organization }. لم يُحذف شيء: مسوداتك غير المرسلة في { $lost } باقية على هذا الحاسوب. إن كان ذلك خطأً فراجع مدير النظام هناك، ثم حدّث منشآتك.
organization-lost-understood = فهمت
window-of-draft-gone = لا تُعدَّل هذه المسودة في نافذة أخرى الآن. أعد المحاولة لفتحها هنا.
key-copy-link = نسخ الرابط
link-copied = نُسخ الرابط
link-title-otherOrganization = هذا الرابط لمنشأة أخرى
link-title-notGranted = ليس لك دور في هذه المنشأة
link-title-noLink = لا يمكن فتح هذا الرابط
link-other-organization = المستند يخص { $other }، وهذه النافذة تعمل في { $organization }. لم يُفتح شيء هنا ولم يتغير. يُفتح في نافذة { $other }.
link-not-granted = يشير الرابط إلى مستند للمنشأة { $organization }، وليس لك فيها دور في { $environment }. لم يُفتح شيء ولم يُطلب. إن مُنحت دورًا للتو فحدّث منشآتك ثم اتبع الرابط مرة أخرى، وإلا فاسأل من أرسله إليك.
link-malformed = يشبه رابطًا إلى مستند، لكن جزءًا منه ناقص أو مغيَّر. لم يُفتح شيء. انسخ الرابط كاملًا مرة أخرى، أو اطلبه من جديد.
link-open-there = فتحه في { $organization }
key-quit = إنهاء مكتب الفواتير
key-reload = تحديث القوائم
key-save-pdf = الحفظ بصيغة PDF
all-commands = كل الأوامر
menu-application = مكتب الفواتير
menu-file = ملف
menu-edit = تحرير
menu-view = عرض
menu-window = نافذة
menu-help = مساعدة
menu-about = حول مكتب الفواتير
menu-services = الخدمات
menu-hide = إخفاء مكتب الفواتير
menu-hide-others = إخفاء الأخرى
menu-show-all = إظهار الكل
menu-cut = قص
menu-copy = نسخ
menu-paste = لصق
menu-select-all = تحديد الكل
menu-close-window = إغلاق النافذة
menu-minimize = تصغير النافذة
menu-maximize = تكبير النافذة
menu-fullscreen = ملء الشاشة
menu-all-to-front = إحضار الكل إلى الأمام
notice-exported = { $count ->
    [zero] انتهى التصدير بلا مستندات
    [one] التصدير جاهز: مستند واحد
    [two] التصدير جاهز: مستندان
    [few] التصدير جاهز: { $count } مستندات
    [many] التصدير جاهز: { $count } مستندًا
   *[other] التصدير جاهز: { $count } مستند
}
notice-export-failed = فشل التصدير. لم يُكتب شيء.
notice-accepted = قبلت الجهة الضريبية مستندًا.
notice-rejected = رفضت الجهة الضريبية مستندًا.
notice-accepted-detailed = قبلت الجهة الضريبية { $number } الصادر إلى { $buyer }.
notice-rejected-detailed = رفضت الجهة الضريبية { $number } الصادر إلى { $buyer }.

product = مكتب الفواتير
language-switch = English
environment-local = التدريب
environment-staging = بيئة الاختبار

sign-in-title = تسجيل الدخول
sign-in-for = للمتابعة إلى { $application }
problem-title = تنبيه: { $title }
username = البريد الإلكتروني
password = كلمة المرور
sign-in = تسجيل الدخول
cancel = إلغاء والعودة
handoff-notice = بعدها ينقلك المتصفح إلى { $application }، ويمكنك إغلاق علامة التبويب هذه.

choose-title = اختر حسابًا
continue-as = المتابعة باسم { $name }
use-another = استخدام حساب آخر

wrong-password-title = البريد الإلكتروني وكلمة المرور غير متطابقين
wrong-password = تحقق منهما ثم حاول مرة أخرى. تُفرِّق كلمة المرور بين الأحرف الكبيرة والصغيرة.
username-missing = أدخل بريدك الإلكتروني.
password-missing = أدخل كلمة المرور.
throttled-title = محاولات كثيرة
throttled = حفاظًا على حسابك، انتظر { $seconds ->
    [one] ثانية واحدة
    [two] ثانيتين
    [few] { $seconds } ثوانٍ
   *[other] { $seconds } ثانية
  } قبل المحاولة مرة أخرى. لا يؤثر ذلك في غيرك، ولا في متصفح سبق أن سجّلت الدخول منه.
expired-title = بقيت هذه الصفحة مفتوحة مدة طويلة
expired = لم تفقد شيئًا: سجّل الدخول مرة أخرى. إن تكرر ذلك فمتصفحك لا يحفظ ملفات تعريف الارتباط لهذه الصفحة.
busy-title = يسجّل كثيرون الدخول الآن
busy = انتظر قليلًا ثم حاول مرة أخرى.

change-password-title = اختر كلمة مرور جديدة
change-password-due = كلمة المرور التي دخلت بها صالحة لمرة واحدة. اختر كلمة مرور خاصة بك للمتابعة.
change-password-lead = بعد تغييرها يُسجَّل خروجك من كل مكان، وتدخل بعد ذلك بكلمة المرور الجديدة.
current-password-label = كلمة المرور الحالية
new-password = كلمة المرور الجديدة
repeat-password = كلمة المرور الجديدة مرة أخرى
change-password = تغيير كلمة المرور
password-length = { $minimum } حرفًا على الأقل. بضع كلمات لا يعرفها غيرك خير من الرموز.
password-length-title = كلمة المرور هذه أقصر أو أطول من اللازم
passwords-differ-title = كلمتا المرور الجديدتان مختلفتان
passwords-differ = اكتب الكلمة نفسها في الحقلين.
password-same-title = هذه ليست كلمة مرور جديدة
password-same = اختر كلمة غير كلمتك الحالية وغير بريدك الإلكتروني.
password-changed-title = تم تغيير كلمة المرور
password-changed = سُجِّل خروجك من كل مكان. عُد إلى التطبيق وادخل بكلمة المرور الجديدة.
set-password-title = عيّن كلمة المرور
set-password-lead = أعطاك مدير النظام رمزًا يُستعمل مرة واحدة.
code = الرمز
code-hint = 28 حرفًا ورقمًا. لا فرق بين الأحرف الكبيرة والصغيرة، ويمكنك ترك الشرطات.
set-password = تعيين كلمة المرور
wrong-code-title = البريد الإلكتروني والرمز غير متطابقين
wrong-code = تحقق منهما. يُستعمل الرمز مرة واحدة ويصلح أيامًا قليلة: إن انتهت صلاحيته فاطلب من مدير النظام رمزًا آخر.
password-set-title = تم تعيين كلمة المرور
password-set = افتح التطبيق وادخل بها.


start-again = أغلق هذه الصفحة وعُد إلى التطبيق وابدأ من جديد.
unknown-application-title = التطبيق الذي أرسلك إلى هنا غير معروف
unknown-application = عرّف التطبيق نفسه بمعرّف غير مسجل في هذه البيئة. ربما اختيرت بيئة غير صحيحة في إعداداته.
unregistered-redirect-title = لن تُعاد إلى ذلك العنوان
unregistered-redirect = طلب التطبيق إرسالك إلى عنوان غير مسجل له. ربما يحاول أحد الوصول إلى حسابك.
unknown-request-title = انتهت صلاحية هذا الرابط
unknown-request = أُنشئ الرابط لتسجيل دخول واحد، ولا يصلح إلا لوقت قصير.
malformed-request-title = هذا الرابط غير مكتمل
malformed-request = العنوان الذي فتح هذه الصفحة ينقصه شيء أو يذكره مرتين.
too-many-requests-title = تصل طلبات كثيرة من شبكتك
too-many-requests = لا مشكلة في حسابك. انتظر دقيقة ثم حاول مرة أخرى.
unavailable-title = لا تستطيع الخدمة الإجابة الآن
unavailable = لا مشكلة في حسابك. حاول مرة أخرى بعد دقيقة.

signed-out-title = تم تسجيل خروجك
signed-out = يمكنك إغلاق هذه الصفحة.
sign-out-title = هل تريد تسجيل الخروج؟
sign-out-question = أنت داخل باسم { $name } في هذا المتصفح.
sign-out = تسجيل الخروج
sign-out-several = هؤلاء داخلون بهذا المتصفح:
sign-out-all = تسجيل خروج الجميع
sign-out-cancel = للبقاء على حالك، أغلق هذه الصفحة.
invalid-logout-request-title = لا يُعرف من يريد تسجيل الخروج
invalid-logout-request = الرابط الذي فتح هذه الصفحة لا يطابق أي تسجيل دخول في هذه الخدمة.

not-found-title = لا شيء في هذا العنوان
not-found = هذه خدمة تسجيل الدخول إلى مكتب الفواتير. افتح التطبيق وسجّل الدخول منه.

### سجل التدقيق: من فعل ماذا ومتى.

administration-audit = سجل التدقيق
administration-platformAudit = سجل تدقيق كل المنشآت
audit-hint = من فعل ماذا في هذه المنشأة ومتى. لا يستطيع أحد تغيير حدث أو حذفه. وكل اطلاع على الأحداث حدثٌ أيضًا.
audit-hint-platform = من فعل ماذا في هذه البيئة ومتى. لا يستطيع أحد تغيير حدث أو حذفه. وكل اطلاع على الأحداث حدثٌ أيضًا.
audit-filter = أي الأحداث
audit-period = الفترة
audit-period-day = اليوم
audit-period-week = آخر 7 أيام
audit-period-month = آخر 30 يومًا
audit-period-all = كل ما هو محفوظ
audit-period-days = بين يومين
audit-first-day = من
audit-last-day = إلى
audit-group = الموضوع
audit-group-all = كل شيء
audit-group-signIn = تسجيل الدخول
audit-group-tokens = الرموز
audit-group-people = الأشخاص والأدوار
audit-group-applications = التطبيقات
audit-group-organization = المنشأة
audit-group-records = العملاء والأصناف والدفعات
audit-group-platform = البيئة
audit-kind = الحدث
audit-kind-all = كل ما فيه
audit-person = الشخص
audit-person-all = الجميع
audit-only-person = أحداث { $name } فقط
audit-who = الفاعل
audit-who-id = معرّف الفاعل
audit-about = المعنيّ
audit-about-id = معرّف المعنيّ
audit-nobody = غير معروف
audit-command-line = سطر أوامر الخادم
audit-organization = المنشأة
audit-organization-all = كل المنشآت
audit-platform = لا منشأة: البيئة
audit-application = التطبيق
audit-time = الوقت
audit-address = عنوان IP
audit-correlation-id = معرّف الترابط
audit-copy-correlation-id = نسخ معرّف الترابط
audit-details = التفاصيل
audit-refresh = قراءة من جديد
audit-save = حفظ بصيغة CSV
audit-saved = { $count ->
    [zero] حُفظ الملف بلا أحداث
    [one] حُفظ حدث واحد
    [two] حُفظ حدثان
    [few] حُفظت { $count } أحداث
    [many] حُفظ { $count } حدثًا
   *[other] حُفظ { $count } حدث
}
audit-saved-part = حُفظت أحدث الأحداث وعددها { $count }، وهناك غيرها: اختر فترة أقصر لبقيتها.
audit-none = لا حدث يطابق هذه التصفية.
audit-more = عرض أحداث أقدم
audit-end = هذه كل أحداث هذه التصفية. وما هو أقدم مما تحفظه البيئة ففي أرشيفها.
audit-shown = { $count ->
    [zero] لا أحداث معروضة
    [one] حدث واحد معروض
    [two] حدثان معروضان
    [few] { $count } أحداث معروضة
    [many] { $count } حدثًا معروضًا
   *[other] { $count } حدث معروض
}
audit-kind-signed_in = تسجيل دخول
audit-kind-sign_in_failed = فشل تسجيل الدخول
audit-kind-sign_in_throttled = إيقاف مؤقت لتسجيل الدخول بعد محاولات فاشلة
audit-kind-signed_out = تسجيل خروج
audit-kind-sessions_ended = إنهاء كل الجلسات
audit-kind-password_changed = تغيير كلمة المرور
audit-kind-password_reset = إعادة تعيين كلمة المرور
audit-kind-impersonated = عملٌ باسم شخص آخر
audit-kind-impersonation_refused = رفض العمل باسم شخص آخر
audit-kind-token_issued = إصدار رمز
audit-kind-token_revoked = إبطال رمز
audit-kind-code_replayed = تقديم رمز الدخول مرتين
audit-kind-refresh_reused = تقديم رمز التجديد مرتين
audit-kind-pat_minted = إنشاء رمز وصول شخصي
audit-kind-pat_revoked = إبطال رمز وصول شخصي
audit-kind-pat_refused = رفض رمز وصول شخصي
audit-kind-user_created = إضافة مستخدم
audit-kind-user_invited = دعوة شخص
audit-kind-user_disabled = تعطيل حساب
audit-kind-user_enabled = تفعيل حساب
audit-kind-role_granted = منح دور
audit-kind-role_revoked = سحب دور
audit-kind-application_registered = تسجيل تطبيق
audit-kind-application_changed = تغيير تطبيق
audit-kind-application_disabled = تعطيل تطبيق
audit-kind-application_enabled = تفعيل تطبيق
audit-kind-client_secret_rotated = استبدال سرّ العميل
audit-kind-organization_created = إضافة منشأة
audit-kind-tenant_created = إنشاء مشترك
audit-kind-tenant_changed = تغيير مشترك
audit-kind-tenant_disabled = تعطيل مشترك
audit-kind-tenant_enabled = تفعيل مشترك
audit-kind-profile_completed = إكمال الملف التعريفي
audit-kind-domain_claimed = المطالبة بنطاق
audit-kind-domain_verified = التحقق من نطاق
audit-kind-domain_removed = إزالة نطاق
audit-kind-primary_domain_changed = تغيير النطاق الرئيسي
audit-kind-authority_changed = تغيير الجهة الضريبية
audit-kind-plan_assigned = إسناد باقة
audit-kind-party_changed = تغيير عميل أو بائع
audit-kind-item_changed = تغيير صنف
audit-kind-payment_recorded = تسجيل دفعة
audit-kind-payment_voided = إلغاء دفعة
audit-kind-rules_published = نشر قواعد الصلاحيات
audit-kind-rules_refused = رفض قواعد الصلاحيات
audit-kind-plan_created = إنشاء باقة
audit-kind-plan_changed = تغيير باقة
audit-kind-plan_deleted = حذف باقة
audit-kind-operator_named = تعيين منشأة المشغّل
audit-kind-platform_refused = رفض عملية على البيئة
audit-kind-keys_rotated = استبدال مفاتيح التوقيع
audit-kind-encryption_rotated = استبدال مفتاح التشفير
audit-kind-audit_read = الاطلاع على سجل التدقيق

### المساعدة في الاتصال: فحص كل خطوة، والتقرير لفريق الدعم.

help-connection = الاتصال والدعم…
help-title = الاتصال والدعم
check-title = فحص الاتصال
check-hint = يجرّب كل خطوة نحو { $environment } ويبيّن ما يجده. لا تُرسل كلمة مرور ولا فاتورة.
check-start = فحص الآن
check-again = إعادة الفحص
check-running = جارٍ الفحص…
check-passed = نجحت كل الخطوات.
check-failed = تعثّرت خطوة. ما يرد عندها موجّه لمن يدير شبكتك.
check-server-identityProvider = تسجيل الدخول
check-server-gateway = الخدمة
check-duration = { $milliseconds } م.ث
check-step-passed = نجحت
check-step-failed = تعثّرت
finding-caFile = { $certificates ->
    [zero] قُرئ ملف شهادات شركتك، وليست فيه شهادات.
    [one] قُرئ ملف شهادات شركتك، وفيه شهادة واحدة.
    [two] قُرئ ملف شهادات شركتك، وفيه شهادتان.
    [few] قُرئ ملف شهادات شركتك، وفيه { $certificates } شهادات.
    [many] قُرئ ملف شهادات شركتك، وفيه { $certificates } شهادة.
   *[other] قُرئ ملف شهادات شركتك، وفيه { $certificates } شهادة.
}
finding-caFileUnusable = لا يمكن استعمال ملف شهادات شركتك. صحّح مساره في البيئة أو أفرغ الحقل.
finding-noProxy = لا وكيل: تذهب الطلبات إلى الخادم مباشرة.
finding-proxy = تمر الطلبات عبر الوكيل { $address } المضبوط في هذا الحاسوب.
finding-proxy-configured = تمر الطلبات عبر الوكيل { $address } كما تنص البيئة.
finding-resolved = للاسم هذه العناوين: { $addresses }.
finding-notResolved = لم يُعثر على الاسم. إما أنه مكتوب خطأ في البيئة، أو أن الحاسوب بلا شبكة أو بلا DNS يعمل.
finding-connected = تم الاتصال بـ { $address }.
finding-notConnected-refused = الحاسوب الآخر يستجيب، لكن لا شيء يستقبل الاتصال على هذا المنفذ. قد تكون الخدمة متوقفة أو المنفذ خطأ.
finding-notConnected-silent = لا استجابة. الأرجح أن جدار حماية يمنع الاتصال.
finding-notConnected-unreachable = لا طريق إلى هذه الشبكة. تحقق من الكابل أو الواي فاي أو الشبكة الخاصة الافتراضية.
finding-notConnected-other = تعذّر الاتصال.
finding-proxyNotResolved = لم يُعثر على اسم الخادم الوكيل. صحّحه، أو تحقق من أن هذا الحاسوب متصل بشبكة.
finding-proxyNotConnected-refused = لا شيء يستقبل الاتصال على عنوان الوكيل. قد يكون متوقفًا أو عنوانه خاطئًا. لم يُتصل بالخدمة نفسها.
finding-proxyNotConnected-silent = الوكيل لا يستجيب. قد يكون متوقفًا أو في شبكة أخرى. لم يُتصل بالخدمة نفسها.
finding-proxyNotConnected-unreachable = لا طريق إلى شبكة الوكيل. تحقق من الكابل أو الواي فاي أو الشبكة الخاصة الافتراضية.
finding-proxyNotConnected-other = تعذّر الاتصال بالوكيل. لم يُتصل بالخدمة نفسها.
finding-proxyRefused = رفض الوكيل بالحالة { $status }.
finding-proxyRefused-password = يطلب الوكيل كلمة مرور (407)، وهذا التطبيق لا يرسلها. اطلب استثناء هذا العنوان.
finding-trusted = الشهادة موثوقة. أصدرها { $issuers }.
finding-notTrusted-unknownIssuer = الشهادة من جهة لا يثق بها هذا الحاسوب: { $issuers }. إن كانت جهة شركتك فاطلب ملف شهادتها وأدخله في البيئة.
finding-notTrusted-expired = انتهت صلاحية الشهادة، أو أن ساعة هذا الحاسوب متقدمة. أصدرها { $issuers }.
finding-notTrusted-notYetValid = لم تبدأ صلاحية الشهادة بعد، أو أن ساعة هذا الحاسوب متأخرة. أصدرها { $issuers }.
finding-notTrusted-wrongName = الشهادة لخادم آخر. إما أن خادمًا آخر أجاب بدل الخدمة، أو أن العنوان خطأ. أصدرها { $issuers }.
finding-notTrusted-noTls = لا يوجد اتصال TLS. ربما أجاب وكيل أو جدار حماية بدل الخادم.
finding-notTrusted-other = رُفضت الشهادة. أصدرها { $issuers }.
finding-plain = على هذا الحاسوب، بلا TLS.
finding-answered = يستجيب (الحالة { $status }).
finding-notAnswered = لم يستجب للطلب.
finding-discovered = هذا هو تسجيل الدخول لهذه البيئة.
finding-notDiscovered = ما يستجيب ليس تسجيل الدخول لهذه البيئة. في شبكة الضيوف افتح صفحة في المتصفح أولًا واقبل شروطها.
finding-clockRight = الساعتان متفقتان.
finding-clockWrong = { $minutes ->
    [zero] ساعة هذا الحاسوب خاطئة.
    [one] ساعة هذا الحاسوب خاطئة بفارق دقيقة.
    [two] ساعة هذا الحاسوب خاطئة بفارق دقيقتين.
    [few] ساعة هذا الحاسوب خاطئة بفارق { $minutes } دقائق.
    [many] ساعة هذا الحاسوب خاطئة بفارق { $minutes } دقيقة.
   *[other] ساعة هذا الحاسوب خاطئة بفارق { $minutes } دقيقة.
} اضبطها تلقائيًا، فتسجيل الدخول لا يعمل قبل ذلك.
packet-title = تقرير لفريق الدعم
packet-hint = اقرأه قبل أن تعطيه لأحد. فيه الإصدارات والحالات وآخر السجل، وليس فيه كلمة مرور ولا مشترٍ ولا مبلغ. لا يُرسل شيء من تلقاء نفسه.
packet-make = إعداد التقرير
packet-text = التقرير
packet-copy = نسخ
packet-save = حفظ باسم…
packet-saved = حُفظ
packet-not-saved = لم يُحفظ
